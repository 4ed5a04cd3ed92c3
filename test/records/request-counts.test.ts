import { afterEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { createMongoOperationalStore } from '../../src/adapters/mongodb/operational-store/operational-store.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import type { Document } from '../../src/kernel/projection.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { openRequestCounts } from '../../src/records/request-counts.ts';
import { createEmbeddedBackends } from '../adapters/embedded/embedded-backends.ts';
import { describeMongo } from '../adapters/mongodb/describe-mongo.ts';
import { createMongoBackends } from '../adapters/mongodb/mongo-backends.ts';
import type { OperationalStoreHarness } from '../contract/operational-store/harness.ts';
import { createFakeClock } from '../spec/fake-clock.ts';

const onFatal = (error: Error) => {
  throw error;
};

const of = (client: number, count: number) => ({ anonymous: [[client, count]] as const });

function requestCountsSuite(name: string, harness: OperationalStoreHarness): void {
  /** A process of its own, also by its clock, which may be wrong. */
  const startProcess = (ops: OperationalStore, wrongMs = 0) =>
    openRequestCounts({ ops, clock: createFakeClock(harness.nowMs() + wrongMs), ids: systemIds });
  const countsOf = async (exchanged: ReturnType<Awaited<ReturnType<typeof startProcess>>['exchange']>) =>
    (await exchanged).map(({ counts }) => counts);

  describe(`counts of requests, ${name}`, () => {
    afterEach(() => harness.close());

    it('are heard by every other process once, and never by the one that told them', async () => {
      const [ops, otherOps] = await harness.makeTwoOnOneBackend();
      const [one, two, three] = [await startProcess(ops), await startProcess(otherOps), await startProcess(ops)];
      expect(await countsOf(one.exchange(of(1, 5)))).toEqual([]);
      expect(await countsOf(two.exchange(of(2, 6)))).toEqual([of(1, 5)]);
      expect(await countsOf(one.exchange(of(1, 7)))).toEqual([of(2, 6)]);
      expect(await countsOf(one.exchange(of(1, 8)))).toEqual([]);
      expect(await countsOf(two.exchange({}))).toEqual([of(1, 7), of(1, 8)]);
      const heard = await countsOf(three.exchange({}));
      expect(heard.length).toBe(5);
      expect(heard).toEqual(expect.arrayContaining([of(1, 5), of(2, 6), of(1, 7), of(1, 8), {}]));
      expect(await countsOf(three.exchange({}))).toEqual([]);
    });

    it('are heard once also when many are told at the same moment', async () => {
      const ops = await harness.make();
      const [one, two] = [await startProcess(ops), await startProcess(ops)];
      const turns = Array.from({ length: 25 }, (_, index) => of(1, index + 1));
      for (const counts of turns) await one.exchange(counts);
      expect(await countsOf(two.exchange({}))).toEqual(turns);
      expect(await countsOf(two.exchange({}))).toEqual([]);
    });

    it('are as old as the store says, whatever the clocks of processes say', async () => {
      const ops = await harness.make();
      const [fast, slow] = [await startProcess(ops, 20_000), await startProcess(ops, -20_000)];
      await fast.exchange(of(1, 5));
      await harness.passTime(1_500);
      const [heard] = await slow.exchange({});
      expect(heard?.counts).toEqual(of(1, 5));
      expect(heard?.ageMs).toBeGreaterThan(1_000);
      expect(heard?.ageMs).toBeLessThan(20_000);
    });

    it('are heard by whoever only looks, each once and as old as the store says', async () => {
      const ops = await harness.make();
      const [one, late] = [await startProcess(ops), await startProcess(ops, -20_000)];
      await one.exchange(of(1, 5));
      expect(await countsOf(late.look())).toEqual([of(1, 5)]);
      // Only the first look tells something, which is nothing: after it the time of the store is known.
      expect(await countsOf(one.exchange(of(1, 6)))).toEqual([{}]);
      await harness.passTime(1_500);
      const [heard, ...others] = await late.look();
      expect([heard?.counts, others]).toEqual([of(1, 6), []]);
      expect(Math.abs(heard!.ageMs)).toBeLessThan(10_000);
      expect(await countsOf(late.look())).toEqual([]);
      expect(await countsOf(late.exchange(of(2, 1)))).toEqual([]);
      expect(await countsOf(one.look())).toEqual([of(2, 1)]);
    });

    it('of a process take no more documents than it tells in a minute', async () => {
      const ops = await harness.make();
      const one = await startProcess(ops);
      for (let turn = 1; turn <= 300; turn += 1) await one.exchange(of(1, turn));
      const documents = await ops.collection<Document>({ name: 'request-counts', indexes: { byTime: ['toldMs'] } });
      const kept = await documents.scan('', 1_000);
      expect(kept.length).toBe(120);
      expect(kept.every(({ expiresAtMs }) => expiresAtMs !== null)).toBe(true);
      const heard = await countsOf((await startProcess(ops)).exchange({}));
      expect(heard).toEqual(Array.from({ length: 120 }, (_, index) => of(1, 181 + index)));
    });
  });
}

requestCountsSuite(
  'embedded',
  createEmbeddedBackends((folder, clock) => createEmbeddedOperationalStore({ folder, clock, onFatal })),
);

describeMongo((server) =>
  requestCountsSuite(
    'MongoDB',
    createMongoBackends(server, (connection, clock) => createMongoOperationalStore({ connection, clock })),
  ),
);
