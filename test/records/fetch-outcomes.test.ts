import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { openFetchOutcomes } from '../../src/records/fetching/fetch-outcomes.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const clock = createFakeClock();
const sources = ['src_a', 'src_b', 'src_c'];
let folder: TempFolder;
let ops: OperationalStore;

beforeEach(async () => {
  folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal });
});
afterEach(async () => {
  await ops.close();
  folder.remove();
});

const nextFetches = async (): Promise<(string | null)[]> => {
  const { standingOf } = await openFetchOutcomes(ops);
  return Promise.all(sources.map(async (id) => (await standingOf(id)).state.nextFetchAfter));
};

describe('sources that get their turns together', () => {
  it('all get them in one write, and lose them in one', async () => {
    let writes = 0;
    const counted: OperationalStore = {
      ...ops,
      transact: (changes, lease) => {
        writes += 1;
        return ops.transact(changes, lease);
      },
    };
    const { schedule } = await openFetchOutcomes(counted);
    await schedule(sources.map((sourceId, number) => ({ sourceId, firstMs: number * 1_000 })));
    expect(await nextFetches()).toEqual([0, 1_000, 2_000].map(toTimestamp));
    await schedule(sources.map((sourceId) => ({ sourceId, firstMs: sourceId === 'src_b' ? 1_000 : null })));
    expect(await nextFetches()).toEqual([null, toTimestamp(1_000), null]);
    expect(writes).toBe(2);
  });

  it('get them also when somebody else has just changed one of them, which stays as it was made', async () => {
    const rival = await openFetchOutcomes(ops);
    let isFirst = true;
    const { schedule } = await openFetchOutcomes({
      ...ops,
      transact: async (changes, lease) => {
        if (isFirst) await rival.schedule([{ sourceId: 'src_b', firstMs: 5_000 }]);
        isFirst = false;
        return ops.transact(changes, lease);
      },
    });
    await schedule(sources.map((sourceId) => ({ sourceId, firstMs: 1_000 })));
    expect(await nextFetches()).toEqual([1_000, 5_000, 1_000].map(toTimestamp));
  });
});
