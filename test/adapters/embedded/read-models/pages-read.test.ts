import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedReadModels } from '../../../../src/adapters/embedded/read-models/read-models.ts';
import type { ReadModels } from '../../../../src/ports/read-models.ts';
import { openThings, type Thing, thing, thingIndexes } from '../../../contract/read-models/harness.ts';
import { createFakeClock } from '../../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

const ioOfThread = '/proc/thread-self/io';
const bytesOfPage = 4096;

const groups = 100;
const thingsPerGroup = 20;

/** No two of a group lie on the same page, whether of keys or of texts. */
const things = Array.from({ length: groups * thingsPerGroup }, (_, number) =>
  thing(`thing-${number}`, { group: number % groups, rank: number, note: 'x'.repeat(600) }),
);

/** The roots, what leads to the leaves, and the leaves of the index. */
const pagesOnTheWay = 10;

describe.runIf(existsSync(ioOfThread))('pages that are read of a file', () => {
  let folder: TempFolder;
  let reader: ReadModels;

  beforeEach(async () => {
    folder = createTempFolder();
    const writer = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
    await (await openThings(writer)).putAll(1, things);
    await writer.close();
    reader = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock(), readonly: true });
  });
  afterEach(async () => {
    await reader.close();
    folder.remove();
  });

  const open = () => reader.open<Thing>({ name: 'things', generation: 1, indexes: thingIndexes });

  /** By this thread, which is the one on which SQLite reads. */
  const pagesReadSoFar = (): number => {
    const [, bytes] = /^rchar: (\d+)$/m.exec(readFileSync(ioOfThread, 'latin1')) ?? [];
    return Math.floor(Number(bytes) / bytesOfPage);
  };

  const pagesReadBy = async (read: () => Promise<readonly Thing[]>): Promise<number> => {
    const before = pagesReadSoFar();
    expect(await read()).toHaveLength(thingsPerGroup);
    return pagesReadSoFar() - before;
  };

  it('are those of the texts, of documents that an index finds', async () => {
    const model = await open();
    const query = { index: 'byGroup', equals: { group: 7 }, direction: 'descending', limit: 20 } as const;
    expect(await pagesReadBy(() => model.query(query))).toBeLessThanOrEqual(thingsPerGroup + pagesOnTheWay);
  });

  it('are those of the texts, of more documents than a page of readers has', async () => {
    const model = await open();
    const query = { index: 'byGroup', equals: { group: 7 }, limit: 200 };
    expect(await pagesReadBy(() => model.query(query))).toBeLessThanOrEqual(thingsPerGroup + pagesOnTheWay);
  });

  it('are those of the texts and of the ids, of documents that are asked for by their ids', async () => {
    const model = await open();
    const ids = things.filter(({ group }) => group === 7).map(({ id }) => id);
    const pages = await pagesReadBy(() => model.get(ids));
    expect(pages).toBeLessThanOrEqual(thingsPerGroup + thingsPerGroup / 2 + pagesOnTheWay);
  });
});
