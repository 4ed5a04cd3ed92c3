import { expect, it } from 'vitest';
import {
  type Counter,
  counters,
  deleteJob,
  job,
  openCollections,
  type OperationalStoreHarness,
  putCounter,
  putJob,
} from './harness.ts';

export function specifyTransacting(harness: OperationalStoreHarness): void {
  it('counts revisions, and takes any revision when none is expected', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    expect(await jobs.get('a')).toBeNull();
    expect(await store.transact([putJob(job('a'))])).toBe('written');
    expect(await store.transact([putJob(job('a', { note: 2 }))])).toBe('written');
    await harness.settle();
    expect(await jobs.get('a')).toEqual({ doc: job('a', { note: 2 }), revision: 2 });
  });

  it('writes only over the expected revision', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    expect(await store.transact([putJob(job('a'), { expected: 1 })])).toBe('revision_conflict');
    expect(await store.transact([putJob(job('a'), { expected: 0 })])).toBe('written');
    expect(await store.transact([putJob(job('a', { note: 'x' }), { expected: 0 })])).toBe('revision_conflict');
    expect(await store.transact([putJob(job('a', { note: 'y' }), { expected: 1 })])).toBe('written');
    expect(await store.transact([putJob(job('a', { note: 'z' }), { expected: 1 })])).toBe('revision_conflict');
    await harness.settle();
    expect(await jobs.get('a')).toEqual({ doc: job('a', { note: 'y' }), revision: 2 });
  });

  it('writes nothing of a transaction over several collections when one revision conflicts', async () => {
    const store = await harness.make();
    const { jobs, counters } = await openCollections(store);
    await store.transact([putJob(job('a')), putJob(job('b')), putCounter('n', 1)]);
    const conflicting = [
      putJob(job('new')),
      putJob(job('a', { note: 'changed' }), { expected: 1 }),
      deleteJob('b'),
      putCounter('n', 2, { expected: 7 }),
    ];
    expect(await store.transact(conflicting)).toBe('revision_conflict');
    await harness.settle();
    expect(await jobs.getMany(['a', 'b', 'new'])).toEqual(
      expect.arrayContaining([
        { doc: job('a'), revision: 1 },
        { doc: job('b'), revision: 1 },
      ]),
    );
    expect(await jobs.get('new')).toBeNull();
    expect(await counters.get('n')).toEqual({ doc: { id: 'n', value: 1 }, revision: 1 });
    expect(await store.transact([putJob(job('new')), putCounter('n', 2, { expected: 1 })])).toBe('written');
  });

  it('lets a transaction see its own changes, in order', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    const twice = [putJob(job('a'), { expected: 0 }), putJob(job('a', { note: 2 }), { expected: 1 })];
    expect(await store.transact(twice)).toBe('written');
    await harness.settle();
    expect(await jobs.get('a')).toEqual({ doc: job('a', { note: 2 }), revision: 2 });
    expect(await store.transact([deleteJob('a', 2), putJob(job('a'), { expected: 2 })])).toBe('revision_conflict');
    expect(await store.transact([deleteJob('a', 2), putJob(job('a'), { expected: 0 })])).toBe('written');
  });

  it('sets a stamped field to its own time when it writes, in the document and in its indexes', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    const stamped = { stampsMs: { dueAt: 60_000 } };
    const beforeMs = harness.nowMs();
    expect(await store.transact([putJob(job('new', { dueAt: 1, note: 'kept' }), { ...stamped, expected: 0 })])).toBe(
      'written',
    );
    await store.transact([putJob(job('old')), putJob(job('plain', { dueAt: 2 }))]);
    expect(await store.transact([putJob(job('old', { dueAt: 1 }), stamped), putCounter('n', 1)])).toBe('written');
    await harness.settle();
    const due = { from: beforeMs + 60_000, to: harness.nowMs() + 90_000 };
    const query = { index: 'byDue', equals: { queue: 'q' }, ...due, limit: 9 };
    const found = (await jobs.query(query)).sort((a, b) => (a.doc.id < b.doc.id ? -1 : 1));
    expect(found.map(({ doc, revision }) => [doc.id, doc.note, revision])).toEqual([
      ['new', 'kept', 1],
      ['old', undefined, 2],
    ]);
    for (const { doc } of found) expect(await jobs.get(doc.id)).toMatchObject({ doc });
    for (const { doc } of found) expect(Number(doc.dueAt)).toBeGreaterThanOrEqual(due.from);

    expect(await store.transact([putJob(job('new', { dueAt: 3 }), { expected: 1 })])).toBe('written');
    await harness.settle();
    expect(await jobs.get('new')).toEqual({ doc: job('new', { dueAt: 3 }), revision: 2 });
    expect((await jobs.scan('new', 1))[0]?.doc).toEqual(found[1]?.doc);
  });

  it('deletes, at the expected revision only when one is given', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    await store.transact([putJob(job('a')), putJob(job('b'))]);
    expect(await store.transact([deleteJob('a', 2)])).toBe('revision_conflict');
    expect(await store.transact([deleteJob('missing', 1)])).toBe('revision_conflict');
    expect(await store.transact([deleteJob('a', 1), deleteJob('b'), deleteJob('missing'), deleteJob('no', 0)])).toBe(
      'written',
    );
    await harness.settle();
    expect(await jobs.getMany(['a', 'b'])).toEqual([]);
    expect(await store.transact([putJob(job('a'))])).toBe('written');
    await harness.settle();
    expect((await jobs.get('a'))?.revision).toBe(1);
  });

  it('refuses what it cannot store and then writes nothing', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    const undeclared = { kind: 'put', collection: 'others', doc: job('x') } as const;
    await expect(store.transact([putJob(job('a')), undeclared])).rejects.toThrow(/others/);
    const badKey = { ...job('b'), dueAt: true as unknown as string };
    await expect(store.transact([putJob(job('a')), putJob(badKey)])).rejects.toThrow(/dueAt/);
    await harness.settle();
    expect(await jobs.get('a')).toBeNull();
    expect(await store.transact([putJob(job('a'))])).toBe('written');
  });

  it('lets one of 200 writers at once win at each revision', async () => {
    const stores = await harness.makeTwoOnOneBackend();
    for (const store of stores) await openCollections(store);
    const reader = await stores[1].collection<Counter>(counters);
    for (const expected of [0, 1, 2]) {
      const attempts = Array.from({ length: 200 }, (_, i) =>
        stores[i % 2 === 0 ? 0 : 1].transact([putCounter('n', i, { expected })]),
      );
      const outcomes = await Promise.all(attempts);
      expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'revision_conflict')).toHaveLength(199);
      await harness.settle();
      const doc = { id: 'n', value: outcomes.indexOf('written') };
      expect(await reader.get('n')).toEqual({ doc, revision: expected + 1 });
    }
  });

  it('loses no increment of 200 that read, add and try again', async () => {
    const stores = await harness.makeTwoOnOneBackend();
    const opened = await Promise.all(stores.map(async (store) => ({ store, ...(await openCollections(store)) })));
    const increment = async (i: number): Promise<void> => {
      const { store, counters } = opened[i % 2] as (typeof opened)[number];
      for (;;) {
        const stored = await counters.get(`n${i % 10}`);
        const change = putCounter(`n${i % 10}`, (stored?.doc.value ?? 0) + 1, { expected: stored?.revision ?? 0 });
        if ((await store.transact([change])) === 'written') return;
      }
    };
    await Promise.all(Array.from({ length: 200 }, (_, i) => increment(i)));
    await harness.settle();
    const ids = Array.from({ length: 10 }, (_, i) => `n${i}`);
    const values = (await opened[0]?.counters.getMany(ids))?.map(({ doc, revision }) => [doc.value, revision]);
    expect(values).toEqual(ids.map(() => [20, 20]));
  });

  it('loses no increment of 40 that write something else along, with or without a revision', async () => {
    const stores = await harness.makeTwoOnOneBackend();
    const opened = await Promise.all(stores.map(async (store) => ({ store, ...(await openCollections(store)) })));
    const increment = async (i: number): Promise<void> => {
      const { store, counters } = opened[i % 2] as (typeof opened)[number];
      for (;;) {
        const stored = await counters.get(`n${i % 4}`);
        const change = putCounter(`n${i % 4}`, (stored?.doc.value ?? 0) + 1, { expected: stored?.revision ?? 0 });
        if ((await store.transact([change, putJob(job(`j${i % 8}`, { note: i }))])) === 'written') return;
      }
    };
    await Promise.all(Array.from({ length: 40 }, (_, i) => increment(i)));
    await harness.settle();
    const ids = Array.from({ length: 4 }, (_, i) => `n${i}`);
    const values = (await opened[0]?.counters.getMany(ids))?.map(({ doc, revision }) => [doc.value, revision]);
    expect(values).toEqual(ids.map(() => [10, 10]));
    const jobIds = Array.from({ length: 8 }, (_, i) => `j${i}`);
    expect((await opened[1]?.jobs.getMany(jobIds))?.map(({ revision }) => revision)).toEqual(jobIds.map(() => 5));
  });

  it('keeps what it acknowledged when it is opened again', async () => {
    const store = await harness.make();
    await openCollections(store);
    await store.transact([putJob(job('a', { note: '😀 é "' })), putCounter('n', 1)]);
    await store.setIdentity('reg_1');
    const reopened = await harness.interrupt(store);
    const { jobs, counters } = await openCollections(reopened);
    expect(await jobs.get('a')).toEqual({ doc: job('a', { note: '😀 é "' }), revision: 1 });
    expect((await counters.get('n'))?.doc.value).toBe(1);
    expect(await reopened.transact([putCounter('n', 2, { expected: 1 })])).toBe('written');
  });

  it('shows one instance what another has written', async () => {
    const [first, second] = await harness.makeTwoOnOneBackend();
    await openCollections(first);
    const { jobs } = await openCollections(second);
    await first.transact([putJob(job('a'))]);
    await harness.settle();
    expect(await jobs.get('a')).toEqual({ doc: job('a'), revision: 1 });
  });

  it('remembers which event store it belongs to, once', async () => {
    const store = await harness.make();
    expect(await store.identity()).toBeNull();
    await store.setIdentity('reg_1');
    await store.setIdentity('reg_1');
    await expect(store.setIdentity('reg_2')).rejects.toThrow(/reg_1/);
    expect(await (await harness.interrupt(store)).identity()).toBe('reg_1');
  });

  it('closes twice, and then refuses', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    await store.close();
    await store.close();
    await expect(jobs.get('a')).rejects.toThrow();
    await expect(store.transact([putJob(job('a'))])).rejects.toThrow();
    await expect(store.leases.acquire('job', 'a', 1000)).rejects.toThrow();
  });
}
