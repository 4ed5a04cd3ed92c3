import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { startExpirySweeper } from '../../../src/runtime/jobs/expiry-sweeper.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

let folder: TempFolder;
let clock: FakeClock;
let ops: OperationalStore;

beforeEach(async () => {
  folder = createTempFolder();
  clock = createFakeClock();
  ops = await createEmbeddedOperationalStore({
    folder: folder.path,
    clock,
    onFatal: (error) => {
      throw error;
    },
  });
  await ops.collection({ name: 'things', indexes: {} });
});
afterEach(async () => {
  await ops.close();
  folder.remove();
});

/** Documents that expire in half a minute, more than one step removes, and one that stays. */
async function putThings(count: number): Promise<void> {
  const expiresAtMs = clock.nowMs() + 30_000;
  const things = Array.from({ length: count }, (_, index) => ({
    kind: 'put' as const,
    collection: 'things',
    doc: { id: `thing-${index}` },
    expiresAtMs,
  }));
  await ops.transact([...things, { kind: 'put', collection: 'things', doc: { id: 'lasting' } }]);
}

it('removes everything that has expired, minute by minute, and nothing else', async () => {
  await putThings(1_200);
  const removed: number[] = [];
  const counted = {
    removeExpired: async (limit: number) => {
      const count = await ops.removeExpired(limit);
      removed.push(count);
      return count;
    },
  };
  const sweeper = startExpirySweeper({ ops: counted, clock, log: createKeptLog() });
  await eventually('the first sweep is over', () => removed.length === 1);
  expect(removed).toEqual([0]);
  await eventually('the sweeper sleeps again', () => {
    clock.advance(60_000);
    return removed.length >= 4;
  });
  expect(removed.slice(1, 4)).toEqual([500, 500, 200]);
  await sweeper.close();
  expect(await (await ops.collection({ name: 'things', indexes: {} })).get('lasting')).not.toBeNull();
});

it('stays alive when a sweep fails, and says so', async () => {
  const log = createKeptLog();
  let calls = 0;
  const failing = {
    removeExpired: async () => {
      calls += 1;
      if (calls === 1) throw new Error('the disk is full');
      return 0;
    },
  };
  const sweeper = startExpirySweeper({ ops: failing, clock, log });
  await eventually('it sweeps again', () => {
    clock.advance(60_000);
    return calls >= 2;
  });
  await sweeper.close();
  expect(log.lines).toMatchObject([{ level: 'error', sentence: expect.stringContaining('expired') as string }]);
});
