import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWhileHeldUp, openTransactions } from '../../../src/adapters/mongodb/abandoned-transactions.ts';
import { type MongoConnection, openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { opsCollectionName } from '../../../src/adapters/mongodb/operational-store/declarations.ts';
import { opsLeasesCollection } from '../../../src/adapters/mongodb/operational-store/lease-place.ts';
import { createMongoOperationalStore } from '../../../src/adapters/mongodb/operational-store/operational-store.ts';
import { createRunTransaction } from '../../../src/adapters/mongodb/transaction.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendBusy } from '../../../src/kernel/backend-unavailable.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { type Counter, counters, putCounter } from '../../contract/operational-store/harness.ts';
import { eventually } from '../../spec/eventually.ts';
import { createChildProcesses } from '../../spec/processes/child-processes.ts';
import { describeMongo } from './describe-mongo.ts';
import { dropDatabase, newDatabaseUrl } from './mongo-backends.ts';

/** Time that passes ten times as fast, for those who wait by it. */
const quickClock: Clock = {
  nowMs: () => systemClock.nowMs() * 10,
  sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
};

describeMongo((server) => {
  const children = createChildProcesses();
  let letGo: () => Promise<void>;
  let url: string;
  let connection: MongoConnection;

  beforeEach(async () => {
    letGo = async () => {};
    url = newDatabaseUrl(server);
    connection = await openMongo({ url, appName: 'registry' });
  });
  afterEach(async () => {
    await children.killAll();
    await letGo();
    await connection.close();
    await dropDatabase(url);
  });

  const openStore = async (clock: Clock = systemClock) => {
    const store = createMongoOperationalStore({ connection, clock });
    return { store, stored: await store.collection<Counter>(counters) };
  };
  const openOnes = async () =>
    (await openTransactions(connection.client)).filter(({ appName }) => connection.isOurs(appName));
  const serverTimeMs = async () => ((await connection.db.command({ hello: 1 }))['localTime'] as Date).getTime();

  /** A transaction of a program that is not ours has written this document, until it lets go. */
  const hold = async (collectionName: string, id: string): Promise<void> => {
    const client = new MongoClient(url);
    const session = client.startSession();
    session.startTransaction();
    const collection = client.db().collection<{ _id: string }>(collectionName);
    await collection.updateOne({ _id: id }, { $set: { touched: true } }, { session });
    letGo = async () => {
      if (session.inTransaction()) await session.abortTransaction();
      await client.close();
    };
  };

  const holdCounter = (id: string): Promise<void> => hold(opsCollectionName(counters.name), id);

  it('lets others write what a killed process has left open, long before the server ends it', async () => {
    const { store, stored } = await openStore();
    await store.transact(['one', 'two', 'three'].map((id) => putCounter(id, 1)));
    const lease = (await store.leases.acquire('job', 'me', 600_000))!;

    const { child, lines } = children.run(import.meta.url, 'open-transaction-child', url);
    await once(lines, 'line');
    await children.kill(child);
    expect(await openOnes()).toHaveLength(1);
    const [{ transactionLifetimeLimitSeconds }] = [
      await connection.client.db('admin').command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 }),
    ] as [{ transactionLifetimeLimitSeconds: number }];
    const endedByServerMs = (await serverTimeMs()) + transactionLifetimeLimitSeconds * 1_000;

    // Alone, in a transaction and on the lease: none of them is told that MongoDB cannot be reached.
    expect(
      await Promise.all([
        store.transact([putCounter('one', 2, { expected: 1 })]),
        store.transact([putCounter('two', 2, { expected: 1 }), putCounter('three', 2, { expected: 1 })]),
        store.leases.acquire('job', 'another', 600_000),
      ]),
    ).toEqual(['written', 'written', null]);
    expect(await serverTimeMs()).toBeLessThan(endedByServerMs);
    expect(await openOnes()).toEqual([]);
    expect((await stored.getMany(['one', 'two', 'three'])).map(({ doc }) => doc.value)).toEqual([2, 2, 2]);
    expect(await store.transact([putCounter('one', 3)], lease)).toBe('written');
  });

  it('makes a transaction again that was ended because its process slept', async () => {
    const { store, stored } = await openStore(quickClock);
    await store.transact([putCounter('one', 1)]);
    const documents = connection.db.collection<{ _id: string }>(opsCollectionName(counters.name));
    const runTransaction = createRunTransaction({
      client: connection.client,
      clock: systemClock,
      whileHeldUp: createWhileHeldUp(connection, systemClock),
    });
    let wake = (): void => {};
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let tries = 0;
    const sleeper = runTransaction(
      async (session) => {
        tries += 1;
        await documents.updateOne({ _id: 'one' }, { $set: { touched: true } }, { session });
        await asleep;
      },
      () => true,
    );
    await eventually('it sleeps', async () => (await openOnes()).length === 1);
    expect(await store.transact([putCounter('one', 2), putCounter('two', 2)])).toBe('written');
    wake();
    await sleeper;
    expect(tries).toBe(2);
    expect(await documents.countDocuments({ touched: true })).toBe(1);
    expect((await stored.get('one'))?.doc.value).toBe(2);
  });

  it('leaves the transactions of other programs alone, and calls a conflict that lasts no outage', async () => {
    const { store } = await openStore(quickClock);
    await store.transact([putCounter('one', 1)]);
    await holdCounter('one');
    const refused = await store.transact([putCounter('one', 2), putCounter('two', 2)]).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(BackendBusy);
    expect((refused as Error).message).not.toMatch(/reach/);
    await letGo();
    expect(await store.transact([putCounter('one', 2), putCounter('two', 2)])).toBe('written');
  });

  it('stamps what had to wait for another when it is written, not when it was asked for', async () => {
    let pauses = 0;
    const counting: Clock = {
      ...systemClock,
      sleep: (ms, signal) => {
        pauses += 1;
        return systemClock.sleep(ms, signal);
      },
    };
    const { store, stored } = await openStore(counting);
    await store.transact([putCounter('one', 1)]);
    await holdCounter('one');
    const waiting = store.transact([putCounter('one', 0, { expected: 1, stampsMs: { value: 60_000 } })]);
    await eventually('it has met the other some times', () => pauses >= 10);
    const freedMs = await serverTimeMs();
    await letGo();
    expect(await waiting).toBe('written');
    expect((await stored.get('one'))?.doc.value).toBeGreaterThanOrEqual(freedMs + 60_000);
  });

  it('counts the time of a lease from when it is written, not from when it was asked for', async () => {
    const { store } = await openStore();
    const ttlMs = 1_600;
    const lease = (await store.leases.acquire('job', 'me', 600_000))!;
    await hold(opsLeasesCollection, 'job');
    const renewing = store.leases.renew(lease, ttlMs);
    const halfMs = performance.now() + ttlMs / 2;
    await eventually('half of its time is gone', () => performance.now() >= halfMs);
    const freedMs = await serverTimeMs();
    await letGo();
    expect(await renewing).toBe(true);
    const leases = connection.db.collection<{ _id: string; expiresAt: Date }>(opsLeasesCollection);
    const { expiresAt } = (await leases.findOne({ _id: 'job' }))!;
    expect(expiresAt.getTime()).toBeGreaterThanOrEqual(freedMs + ttlMs);
  });
});
