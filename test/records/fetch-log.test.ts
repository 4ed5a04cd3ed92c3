import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import type { Document } from '../../src/kernel/projection.ts';
import type { CollectionDeclaration, OperationalStore } from '../../src/ports/operational-store.ts';
import {
  createFetchLog,
  type FetchLog,
  type FetchLogEntry,
  fetchLogDeclaration,
  type WantedEntries,
} from '../../src/records/fetch-log.ts';
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

const neverAsked = async (): Promise<never> => {
  throw new Error('the contacts were asked for');
};

const newest = async (limit: number, lastContacts: WantedEntries['lastContacts'] = neverAsked): Promise<string[]> => {
  const found = await log.newest({ isWanted: (sourceId) => sourceId !== 'src_hidden', limit, lastContacts });
  return found.map(({ sourceId }) => sourceId);
};

describe('the newest entries that are wanted', () => {
  it('are found behind others that are not, each once and in order', async () => {
    await fill(60, [3, 20, 50, 51, 60]);
    expect(await newest(10)).toEqual(['src_3', 'src_20', 'src_50', 'src_51', 'src_60']);
    expect(await newest(4)).toEqual(['src_3', 'src_20', 'src_50', 'src_51']);
  });

  it('are looked for among the newest thousand, and behind them by their sources alone', async () => {
    const ages = [3, 251, 1_051, 2_000, 2_500, 2_501];
    await fill(3_000, ages);
    const contactsOf = (some: readonly number[]) => async () =>
      new Map([['src_hidden', 100_000], ...some.map((age) => [`src_${age}`, entry(age, '').createdMs] as const)]);
    expect(await newest(5, contactsOf(ages))).toEqual(['src_3', 'src_251', 'src_1051', 'src_2000', 'src_2500']);
    // One that nothing tells of is not looked for in all that there is.
    expect(await newest(5, contactsOf([2_000]))).toEqual(['src_3', 'src_251', 'src_2000']);
  });

  it('are found behind sources that were in contact later and have none', async () => {
    await fill(1_100, [1_090, 1_100]);
    const idle = Array.from({ length: 30 }, (_, number) => [`src_idle${number}`, 200_000 + number] as const);
    const lastContacts = async () => new Map([...idle, ['src_1090', 90_000], ['src_1100', 89_000]] as const);
    expect(await newest(1, lastContacts)).toEqual(['src_1090']);
    expect(await newest(2, lastContacts)).toEqual(['src_1090', 'src_1100']);
  });

  it('are read of no more sources than can have some', async () => {
    await fill(1_100, [1_090]);
    const many = Array.from({ length: 60 }, (_, number) => [`src_old${number}`, number] as const);
    const contacts = new Map([...many, ['src_1090', 99_000]] as const);
    let asked = 0;
    const counted = await createFetchLog({
      ...ops,
      collection: async <Doc extends Document>(declaration: CollectionDeclaration) => {
        const collection = await ops.collection<Doc>(declaration);
        const query: typeof collection.query = (wanted) => {
          asked += 1;
          return collection.query(wanted);
        };
        return { ...collection, query };
      },
    });
    await counted.newest({ isWanted: (id) => id !== 'src_hidden', limit: 1, lastContacts: async () => contacts });
    expect(asked).toBe(3 + 20);
  });
});
