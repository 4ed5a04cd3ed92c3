import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import * as ours from '../../src/compose/open-embedders.ts';
import type * as doctor from '../../src/doctor/examine-embedder.ts';
import type { EmbeddingSettings } from '../../src/config/embedding-settings.ts';
import type { Log } from '../../src/ports/log.ts';
import { builtPath, root } from '../spec/built/built-path.ts';
import { hasMiniLm } from '../spec/embedders/has-minilm.ts';
import { eventually } from '../spec/eventually.ts';
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
async function installedModule<Module>(runtime: string | null, path: string): Promise<Module> {
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
  const module = pathToFileURL(join(folder, 'dist/src', path)).href;
  return (await import(/* @vite-ignore */ module)) as Module;
}

const installedWith = (runtime: string | null) => installedModule<typeof ours>(runtime, 'compose/open-embedders.js');

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
    expect([await vectorLength(embedders), embedders?.replacedBecause()]).toEqual([256, reason]);
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
    expect(embedders!.replacedBecause()).toBeNull();
    await embedders!.best.close();
  });
});

describe('a machine on which MiniLM never comes up', () => {
  const standIn =
    'the model cannot be started; a lesser one embeds queries, and searches by meaning find less meanwhile';
  const vector = `new Float32Array(256).fill(1 / 16)`;
  const model = (create: string, run: string) => `
    module.exports = { Tensor: class {}, InferenceSession: { create: async () => { ${create}; return { run: async () => { ${run} } } } } };
  `;

  it.each([
    [
      'because its file is broken',
      model("throw new Error('Protobuf parsing failed.')", ''),
      'Protobuf parsing failed.',
    ],
    ['because it is ended each time', model("process.kill(process.pid, 'SIGKILL')", ''), /ended: SIGKILL/],
    ['because each first text ends it', model('', "process.kill(process.pid, 'SIGKILL')"), /ended: SIGKILL/],
    ['because it fails for each text', model('', "throw new Error('out of memory')"), /out of memory/],
  ])('%s has queries embedded by the static model, and says so', async (_, runtime, reason) => {
    const log = createKeptLog();
    const embedders = (await open({}, await installedWith(runtime), log))!;
    const plain = (await open({ embedder: 'static' }))!;
    const { best, quick, isFallback, replacedBecause } = embedders;
    for (let asked = 0; asked < 3; asked += 1) {
      const vectors = await best.embed(['memory leak'], { isQuery: true });
      expect(vectors).toEqual(await plain.best.embed(['memory leak']));
    }
    expect(replacedBecause()).toMatch(reason);
    expect(log.lines.filter(({ sentence }) => sentence === standIn)).toHaveLength(1);
    // What is kept is known by the name of its model: it is made anew when that works, and nothing else is.
    expect([best.model, quick?.model, isFallback]).toEqual([
      'minilm-int8-256',
      'allminilm-relnotes-static-256',
      undefined,
    ]);
    await expect(best.embed(['memory leak'])).rejects.toMatchObject({ name: 'EmbedderUnavailable' });
    await best.close();
  });

  it.each([
    ['without its runtime', null, "Cannot find module 'onnxruntime-node'"],
    ['whose file is broken', model("throw new Error('Protobuf parsing failed.')", ''), 'Protobuf parsing failed.'],
  ])('%s is told of by the doctor', async (_, runtime, reason) => {
    const path = 'doctor/examine-embedder.js';
    const { examineEmbedder } = await installedModule<typeof doctor>(runtime, path);
    const settings = { embedder: 'minilm', baseUrl: openai.url, apiKey, model: '', dimensions: undefined } as const;
    expect(await examineEmbedder({ ...settings, allowPrivateFetches: true }, systemClock)).toEqual([
      {
        state: 'warning',
        about: 'embedder',
        sentence: `minilm cannot be used, and the static model stands in: ${reason}`,
        advice: 'Mend what keeps it from working, or set EMBEDDER to another one.',
      },
    ]);
  });

  it('has them embedded by MiniLM as soon as it does', async () => {
    const broken = `
      const { existsSync } = require('node:fs');
      ${model("if (!existsSync(__dirname + '/mended')) throw new Error('broken')", `return { embedding_256: { data: ${vector} } }`)}
    `;
    const installed = await installedWith(broken);
    const embedders = (await open({}, installed))!;
    const isMiniLm = async () => {
      const [meaning] = await embedders.best.embed(['memory leak'], { isQuery: true });
      return meaning!.every((part) => part === 1 / 16);
    };
    expect(await isMiniLm()).toBe(false);
    writeFileSync(join(temps.at(-1)!.path, 'node_modules/onnxruntime-node/mended'), '');
    await eventually('it works', isMiniLm);
    expect(embedders.replacedBecause()).toBeNull();
    await embedders.best.close();
  });
});
