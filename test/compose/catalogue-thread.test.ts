import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstantsDocument, monthOf, placeOf } from '../../projections/instants/instants-document.ts';
import { instantsProjection } from '../../projections/instants/instants.ts';
import { wereClosedInOrder } from '../../src/adapters/embedded/read-models/closed-in-order.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import type { PackedSources } from '../../src/catalogue/instants/packed-sources.ts';
import { readReleases, type ReleasesRead } from '../../src/catalogue/instants/read-releases.ts';
import { beginCatalogueThread } from '../../src/compose/threads/catalogue-thread.ts';
import { BackendUnavailable } from '../../src/kernel/backend-unavailable.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import type { ReadModel, ReadModels } from '../../src/ports/read-models.ts';
import { firstBuild } from '../../src/runtime/projector/generations.ts';
import { eventually } from '../spec/eventually.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';
import { createEmptyDataFolder } from '../spec/worlds/followed-registry.ts';

const { name, indexes } = instantsProjection;
const live = firstBuild(instantsProjection);
const sourcesCount = 3_000;

const documentOf = (number: number): InstantsDocument => {
  const publishedAt = number % 3 === 0 ? null : new Date(Date.UTC(2026, number % 12)).toISOString();
  const sourceId = derivedId('src', String(number % sourcesCount));
  const releaseId = derivedId('rel', String(number));
  const publishedMs = publishedAt === null ? null : Date.parse(publishedAt);
  const id = placeOf(sourceId, releaseId, publishedAt);
  return {
    id,
    sourceId,
    month: monthOf(publishedAt),
    releases: [[releaseId, publishedMs, 0, number, 0, null, `1.${number}`]],
  };
};

async function put(model: ReadModel<InstantsDocument>, numbers: readonly number[]): Promise<void> {
  const position = (await model.checkpoint()) + 1;
  const lease = (await model.leases.acquire('projector', 'test', 60_000))!;
  const changes = numbers.map((number) => ({ kind: 'put' as const, doc: documentOf(number), position }));
  expect(await model.write({ changes, position, lease })).toBe('written');
}

const allOf = async ({ pages }: ReleasesRead): Promise<PackedSources[]> => {
  const all: PackedSources[] = [];
  for await (const page of pages) all.push(page);
  return all;
};

const bySource = (pages: readonly PackedSources[]) =>
  pages.flatMap(({ sourceIds }) => sourceIds).sort((a, b) => (a < b ? -1 : 1));

describe('the thread that reads the releases of a catalogue', () => {
  let folder: TempFolder;
  let readModels: ReadModels;
  let model: ReadModel<InstantsDocument>;
  const open = (generation: number) => readModels.open<InstantsDocument>({ name, generation, indexes });

  beforeAll(async () => {
    folder = await createEmptyDataFolder();
    readModels = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
    model = await open(live);
    await put(
      model,
      Array.from({ length: 2 * sourcesCount }, (_, number) => number),
    );
  });
  afterAll(async () => {
    await readModels.close();
    folder.remove();
  });

  it('tells what is read here, in pages, each time that it is asked', async () => {
    const here = await allOf(await readReleases(model));
    expect(here.length).toBeGreaterThan(2);
    const thread = beginCatalogueThread({ dataDir: folder.path });
    for (const time of [1, 2]) {
      const read = await thread.readReleases(model);
      expect(read.position, `time ${time}`).toBe(await model.checkpoint());
      expect(await allOf(read), `time ${time}`).toEqual(here);
    }
    await thread.close();
  });

  it('tells of the generation that is asked for, whichever is live', async () => {
    const next = await open(live + 1);
    await put(next, [1]);
    const thread = beginCatalogueThread({ dataDir: folder.path });
    expect(bySource(await allOf(await thread.readReleases(next)))).toEqual([documentOf(1).sourceId]);
    await thread.close();
  });

  it('has read ahead what was closed in order, and tells up to where', async () => {
    await readModels.close();
    expect(wereClosedInOrder(folder.path)).toBe(true);
    const thread = beginCatalogueThread({ dataDir: folder.path });
    const inUse = join(folder.path, 'read', `${name}.g${live}.sqlite-shm`);
    await eventually('it is read', () => existsSync(inUse));
    const other = beginCatalogueThread({ dataDir: folder.path });
    readModels = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
    model = await open(live);
    const ofNext = await allOf(await other.readReleases(await open(live + 1)));
    expect(bySource(ofNext), 'who asks for another generation').toEqual([documentOf(1).sourceId]);
    await other.close();
    const before = await model.checkpoint();
    await put(model, [2 * sourcesCount]);
    expect(wereClosedInOrder(folder.path), 'while somebody writes').toBe(false);
    const read = await thread.readReleases(model);
    expect(read.position).toBe(before);
    expect(bySource(await allOf(read))).toHaveLength(sourcesCount);
    await thread.close();
  });

  it('refuses what is not there, and goes on for who asks next', async () => {
    const thread = beginCatalogueThread({ dataDir: folder.path });
    const gone = { ...model, declaration: { name, generation: live + 7, indexes } };
    await expect(thread.readReleases(gone)).rejects.toThrow(/no data file/);
    expect((await allOf(await thread.readReleases(model))).length).toBeGreaterThan(2);
    await thread.close();
  });

  it('says that a server is away', async () => {
    const mongodbUrl = 'mongodb://127.0.0.1:1/nothing?replicaSet=rs0';
    const thread = beginCatalogueThread({ dataDir: folder.path, mongodbUrl });
    await expect(thread.readReleases(model)).rejects.toThrow(BackendUnavailable);
    await thread.close();
  });

  it('ends when it is closed, asked or not, also where nothing was ever made', async () => {
    const empty = createTempFolder();
    expect(wereClosedInOrder(empty.path)).toBe(false);
    const threads = [beginCatalogueThread({ dataDir: empty.path }), beginCatalogueThread({ dataDir: folder.path })];
    for (const thread of threads) await thread.close();
    await expect(threads[1]!.readReleases(model)).rejects.toThrow(/ended/);
    empty.remove();
  });
});
