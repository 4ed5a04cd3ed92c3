import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { createFetchLog, type FetchLog, type FetchLogEntry, fetchLogDeclaration } from '../../src/records/fetch-log.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

let folder: TempFolder;
let ops: OperationalStore;
let log: FetchLog;

beforeEach(async () => {
  folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: createFakeClock(), onFatal });
  log = await createFetchLog(ops);
});
afterEach(async () => {
  await ops.close();
  folder.remove();
});

/** By age: 1 is the newest. Every two are of the same millisecond. */
const entry = (age: number, sourceId: string): FetchLogEntry => {
  const createdMs = 100_000 - Math.ceil(age / 2);
  const counts = { releasesFound: 1, releasesInserted: 1, totalReleases: 1, durationMs: 1 };
  const id = `fet_${String(100_000 - age)}`;
  return { id, sourceId, ...counts, status: 'success', error: null, createdMs, createdAt: toTimestamp(createdMs) };
};

const fill = async (count: number, wantedAges: readonly number[]) => {
  const sourceOf = (age: number) => (wantedAges.includes(age) ? `src_${age}` : 'src_hidden');
  const docs = Array.from({ length: count }, (_, index) => entry(index + 1, sourceOf(index + 1)));
  await ops.transact(docs.map((doc) => ({ kind: 'put', collection: fetchLogDeclaration.name, doc })));
};

const newest = async (limit: number): Promise<string[]> =>
  (await log.newest((sourceId) => sourceId !== 'src_hidden', limit)).map(({ sourceId }) => sourceId);

describe('the newest entries that are wanted', () => {
  it('are found behind others that are not, each once and in order', async () => {
    await fill(60, [3, 20, 50, 51, 60]);
    expect(await newest(10)).toEqual(['src_3', 'src_20', 'src_50', 'src_51', 'src_60']);
    expect(await newest(4)).toEqual(['src_3', 'src_20', 'src_50', 'src_51']);
  });

  it('are looked for among the newest 5,000, and not much further', async () => {
    await fill(7_000, [251, 1_051, 5_000, 6_001, 7_000]);
    expect(await newest(10)).toEqual(['src_251', 'src_1051', 'src_5000']);
  });
});
