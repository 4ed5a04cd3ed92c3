import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import * as ours from '../../src/compose/open-embedders.ts';
import type { EmbeddingSettings } from '../../src/config/embedding-settings.ts';
import type { Log } from '../../src/ports/log.ts';
import { builtPath, root } from '../spec/built/built-path.ts';
import { hasMiniLm } from '../spec/embedders/has-minilm.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';
import { embeddings, failing, type OpenAiStandin, startOpenAiStandin } from '../standin/openai/openai-standin.ts';

const apiKey = 'sk-for-tests-only';
const http = createHttpClient();
const temps: TempFolder[] = [];
let openai: OpenAiStandin;

beforeAll(async () => {
  openai = await startOpenAiStandin({ apiKey });
});
afterAll(async () => {
  await http.close();
  await openai.close();
  for (const { remove } of temps) remove();
});

function open(changed: Partial<EmbeddingSettings>, { openEmbedders } = ours, log: Log = createKeptLog()) {
  const usual = { embedder: 'minilm', baseUrl: openai.url, apiKey, model: 'small', dimensions: undefined } as const;
  const settings = { ...usual, allowPrivateFetches: true, ...changed };
  return openEmbedders({ http, clock: systemClock, log }, settings);
}

const vectorLength = async (embedders: ours.Embedders | null) =>
  (await embedders!.best.embed(['memory leak'], { isQuery: true }))[0]?.length;

describe('the embedders of a service', () => {
  it.skipIf(!hasMiniLm())('are MiniLM, and the static model for what would wait long', async () => {
    const log = createKeptLog();
    const embedders = await open({}, ours, log);
    expect([embedders?.best.model, embedders?.quick?.model]).toEqual([
      'minilm-int8-256',
      'allminilm-relnotes-static-256',
    ]);
    expect(embedders?.best.space).toBe(embedders?.quick?.space);
    expect([await vectorLength(embedders), log.lines]).toEqual([256, []]);
    await embedders!.best.close();
  });

  it('are the static model alone where that is wanted', async () => {
    const embedders = await open({ embedder: 'static' });
    expect([embedders?.best.model, embedders?.quick]).toEqual(['allminilm-relnotes-static-256', null]);
  });

  it('are none when they are off', async () => {
    expect(await open({ embedder: 'off' })).toBeNull();
  });

  it('are an endpoint, which is left alone after it failed', async () => {
    openai.replyWith(embeddings(() => [3, 4]));
    const embedders = await open({ embedder: 'openai' });
    expect([embedders?.best.model, embedders?.quick, await vectorLength(embedders)]).toEqual([
      'openai:small:2',
      null,
      2,
    ]);
    openai.replyWith(failing(401));
    await expect(vectorLength(embedders)).rejects.toThrow('refused (401)');
    await expect(vectorLength(embedders)).rejects.toThrow('failed a moment ago');
  });

  it('are not started with an endpoint that gives no vector, unless it is said how long those are', async () => {
    openai.replyWith(failing(401));
    await expect(open({ embedder: 'openai' })).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(
        /^EMBEDDING_BASE_URL gave no vector: .*refused \(401\)\. With EMBEDDING_DIMENSIONS/,
      ),
    });
    const embedders = await open({ embedder: 'openai', dimensions: 8 });
    expect(embedders?.best.model).toBe('openai:small:8');
  });

  it('are not started with an address inside the network, unless that is allowed', async () => {
    const opened = open({ embedder: 'openai', allowPrivateFetches: false });
    await expect(opened).rejects.toThrow('EMBEDDING_BASE_URL cannot be used');
  });
});

/** The service as it is installed on a machine where its runtime for MiniLM is another one, or none. */
async function installedWith(runtime: string | null): Promise<typeof ours> {
  const temp = createTempFolder();
  temps.push(temp);
  const folder = temp.path;
  cpSync(builtPath(join(root, 'src')), join(folder, 'dist/src'), { recursive: true });
  symlinkSync(join(root, 'assets'), join(folder, 'assets'));
  symlinkSync(join(root, 'package.json'), join(folder, 'package.json'));
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'onnxruntime-node') symlinkSync(join(root, 'node_modules', name), join(packages, name));
  }
  if (runtime !== null) {
    mkdirSync(join(packages, 'onnxruntime-node'));
    writeFileSync(join(packages, 'onnxruntime-node/index.js'), runtime);
  }
  const module = pathToFileURL(join(folder, 'dist/src/compose/open-embedders.js')).href;
  return (await import(/* @vite-ignore */ module)) as typeof ours;
}

describe('a machine on which MiniLM cannot be loaded', () => {
  it.each([
    ['without its runtime', null, "Cannot find module 'onnxruntime-node'"],
    ['with one that cannot be linked', "throw new Error('libc.so.6: not found')", 'libc.so.6: not found'],
    [
      'with one that its processor cannot run',
      "process.kill(process.pid, 'SIGILL')",
      'The process that embeds texts ended: SIGILL.',
    ],
  ])('%s has the static model, and says so once', async (_, runtime, reason) => {
    const warnings: unknown[] = [];
    const log = { ...createKeptLog(), warn: (...told: unknown[]) => void warnings.push(told) };
    const embedders = await open({}, await installedWith(runtime), log);
    expect([embedders?.best.model, embedders?.quick]).toEqual(['allminilm-relnotes-static-256', null]);
    expect(await vectorLength(embedders)).toBe(256);
    const sentence =
      'MiniLM cannot be loaded here; the static model embeds all texts, and searches by meaning find less';
    expect(warnings).toEqual([[sentence, { reason }]]);
  });
});

describe('a machine on which MiniLM cannot be started at once', () => {
  /** Ended by the system when it starts for the first time, as where memory is short. */
  const endedOnce = `
    const { existsSync, writeFileSync } = require('node:fs');
    const mark = __dirname + '/started';
    if (!existsSync(mark)) {
      writeFileSync(mark, '');
      process.kill(process.pid, 'SIGKILL');
    }
    const run = async () => ({ embedding_256: { data: new Float32Array(256).fill(1 / 16) } });
    module.exports = { Tensor: class {}, InferenceSession: { create: async () => ({ run }) } };
  `;

  it('has it from the next text on', async () => {
    const log = createKeptLog();
    const embedders = await open({}, await installedWith(endedOnce), log);
    expect([embedders?.best.model, embedders?.quick?.model]).toEqual([
      'minilm-int8-256',
      'allminilm-relnotes-static-256',
    ]);
    expect(await vectorLength(embedders)).toBe(256);
    expect(log.lines.map(({ sentence }) => sentence)).toEqual([
      'MiniLM could not be started; the next text tries again',
    ]);
    await embedders!.best.close();
  });
});
