import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createEmbeddedEventStore } from '../../src/adapters/embedded/event-store/event-store.ts';
import { upcasters } from '../../src/domain/upcasters.ts';
import { createEventCodec } from '../../src/kernel/event-codec.ts';
import { eventually } from '../spec/eventually.ts';
import { checkRebuilds } from '../spec/killed/check-rebuilds.ts';
import { endLeases } from '../spec/killed/end-leases.ts';
import { runRegistry, type ServedRegistry, serveRegistry } from '../spec/processes/registry-process.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const folder = createTempFolder();
const dataDir = folder.path;
const key = 'root-key-of-the-purge-test';
const mark = 'a word that nobody shall find';
const batches = 4;
const batchSize = 400;

afterAll(() => folder.remove());

const serve = () => serveRegistry(dataDir, ['--no-demo'], { ROOT_API_KEY: key });

const send = async ({ url }: ServedRegistry, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text) as { id: string };
};

const stop = async ({ child, exited }: ServedRegistry, signal: 'SIGKILL' | 'SIGTERM') => {
  child.kill(signal);
  await exited;
};

const filesIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)],
  );

const filesHolding = (text: string) => filesIn(dataDir).filter((file) => readFileSync(file).includes(text));

/** How many releases are erased so far, as another process sees it. */
async function openErasedCount() {
  const store = await createEmbeddedEventStore({
    folder: dataDir,
    codec: createEventCodec(upcasters),
    readonly: true,
    onFatal: () => {},
  });
  let [count, position] = [0, 0];
  return {
    now: async () => {
      const batch = await store.readAll({ afterPosition: position, limit: 10_000, types: ['ReleaseErased.v1'] });
      count += batch.events.length;
      position = batch.position;
      return count;
    },
    close: store.close,
  };
}

interface Listed {
  readonly items: readonly { id: string; kind: string; state: string; done: number; total: number }[];
}

const listed = (): Listed['items'] => {
  const { status, stdout, stderr } = runRegistry(['purges', '--json', '--data', dataDir]);
  expect(status, stderr).toBe(0);
  return (JSON.parse(stdout) as Listed).items;
};

it('a purge that is killed again and again goes on to its end and leaves nothing', async () => {
  let served = await serve();
  const org = await send(served, 'POST', '/orgs', { name: 'Gone', description: mark });
  const source = await send(served, 'POST', '/sources', { name: mark, url: 'https://gone.example', orgId: org.id });
  for (let batch = 0; batch < batches; batch += 1) {
    const releases = Array.from({ length: batchSize }, (_, index) => ({
      title: `${mark} ${index}`,
      version: `${batch}.${index}.0`,
      content: mark.repeat(20),
    }));
    await send(served, 'POST', `/sources/${source.id}/releases/batch`, { releases, emit: false });
  }
  const erased = await openErasedCount();
  await send(served, 'DELETE', `/orgs/${org.id}?hard=true`);
  for (const least of [1, 800]) {
    await eventually('it has erased some more', async () => (await erased.now()) >= least, {
      withinMs: 60_000,
      everyMs: 1,
    });
    await stop(served, 'SIGKILL');
    const [half] = listed().filter(({ kind }) => kind === 'source');
    expect(half).toMatchObject({ id: source.id });
    endLeases(dataDir);
    served = await serve();
  }
  await erased.close();
  await eventually('all is purged', () => listed().every(({ state }) => state === 'done'), {
    withinMs: 100_000,
    everyMs: 1_000,
  });
  const items = listed();
  expect(items.map(({ kind }) => kind).sort()).toEqual(['org', 'source']);
  expect(items.find(({ kind }) => kind === 'source')).toMatchObject({ total: batches * batchSize });
  expect(filesHolding(mark)).toEqual([]);
  const again = await send(served, 'POST', '/orgs', { name: 'Gone', slug: 'gone' });
  expect(again.id).not.toBe(org.id);
  await stop(served, 'SIGTERM');
  await checkRebuilds({ dataDir });
  expect(filesHolding(mark)).toEqual([]);
});
