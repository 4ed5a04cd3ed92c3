import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseRelease } from '../../commands/release/erase-release.ts';
import { ingestReleases } from '../../commands/release/ingest-releases.ts';
import { allProjections } from '../../projections/all-projections.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { openRegistry, type Registry } from '../../src/compose/registry.ts';
import { eventually } from '../spec/eventually.ts';
import { noFetches } from '../spec/http/http-service.ts';
import { requestOf } from '../spec/worlds/embedded-registry.ts';
import { buildSmallWorld, webBaseUrl } from '../spec/worlds/small-world.ts';
import { createTempFolder } from '../spec/temp-folder.ts';
import { countIn } from '../spec/worlds/read-model-documents.ts';

const folder = createTempFolder();
let registry: Registry;
const fatal: Error[] = [];

const open = () =>
  openRegistry({
    backends: { dataDir: folder.path },
    logLevel: 'error',
    webBaseUrl,
    fetching: noFetches,
    onFatal: (error) => void fatal.push(error),
  });

beforeAll(async () => {
  registry = await open();
});

afterAll(async () => {
  await registry.close();
  folder.remove();
  expect(fatal).toEqual([]);
});

const filesHolding = (text: string): string[] =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map((entry) => entry.name);

/** Who does a piece of work, as the leases tell. */
function holderOf(lease: string): string {
  const db = new Sqlite(join(folder.path, 'ops.sqlite'), { readonly: true });
  try {
    return db.prepare<[string], string>('SELECT holder FROM lease WHERE name = ?').pluck().get(lease) ?? '';
  } finally {
    db.close();
  }
}

describe('a registry in one data folder', () => {
  it('projects what was written, in its own thread', async () => {
    const world = await buildSmallWorld(registry, 'Acme', 1);
    expect(await registry.live.waitFor(allProjections, world.position, 20_000)).toBe(true);
    const set = (await registry.live.current())!;
    expect(await countIn(set.of(releaseFeedProjection), { index: 'byOrg', equals: { orgId: world.orgId } })).toBe(20);
  });

  it('counts tokens in a thread', async () => {
    expect(await registry.tokenCounter.countMany(['hello world', ''])).toEqual([2, 0]);
  });

  it('leaves nothing of an erased release in any file, its large body included', async () => {
    const world = await buildSmallWorld(registry, 'Erased', 100);
    const secret = 'PECULIARLYRECOGNISABLETEXT';
    const content = `${secret} `.repeat(20_000);
    const [contentTokens = 0] = await registry.tokenCounter.countMany([content]);
    const items = [{ title: 'To be erased', version: '9.9.9', content, contentTokens }];
    const { results } = await registry.batches.run(
      ingestReleases,
      { sourceId: world.sourceId, items, webBaseUrl },
      requestOf(200),
    );
    const releaseId = results[0]!.id;
    expect(filesHolding(secret)).not.toEqual([]);
    const { position } = await registry.commands.run(eraseRelease, { releaseId }, requestOf(201));
    await registry.erased(position);
    expect(filesHolding(secret)).toEqual([]);
    expect((await registry.eventStore.read(`release-${releaseId}`)).events.map(({ type }) => type)).toEqual([
      'ReleaseErased.v1',
    ]);
    const again = await registry.batches.run(
      ingestReleases,
      { sourceId: world.sourceId, items, webBaseUrl },
      requestOf(202),
    );
    expect(again.results).toEqual([{ id: releaseId, result: 'withdrawn' }]);
  });

  it('finds everything again after it was closed and opened', async () => {
    const before = await registry.eventStore.head();
    await registry.close();
    registry = await open();
    expect(await registry.eventStore.head()).toBe(before);
    expect(await registry.live.waitFor(allProjections, before, 20_000)).toBe(true);
  });

  it('erases in the thread that fetches: whoever answers requests does not wait for it', async () => {
    // Opened again, with read models that are there: whoever erases begins at once.
    await eventually('somebody erases', () => holderOf('eraser') !== '');
    expect(holderOf('eraser')).toMatch(/^fetcher:/);
  });
});
