import { expect, it } from 'vitest';
import { job, openCollections, type OperationalStoreHarness, putJob } from './harness.ts';

const ttlMs = 400;

export function specifyExpiring(harness: OperationalStoreHarness): void {
  it('hides a document from its expiry on, and keeps the others', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    await store.transact([
      putJob(job('gone'), { expiresAtMs: harness.nowMs() + ttlMs }),
      putJob(job('stays')),
      putJob(job('later'), { expiresAtMs: harness.nowMs() + 600_000 }),
    ]);
    await harness.settle();
    expect(await jobs.get('gone')).not.toBeNull();
    await harness.passTime(ttlMs + 1);
    expect(await jobs.get('gone')).toBeNull();
    expect((await jobs.getMany(['gone', 'stays', 'later'])).map(({ doc }) => doc.id).sort()).toEqual([
      'later',
      'stays',
    ]);
    const byDue = await jobs.query({ index: 'byDue', equals: { queue: 'q' }, limit: 9 });
    expect(byDue.map(({ doc }) => doc.id)).toEqual(['later', 'stays']);
  });

  it('is scanned by id with the expiry of each document, and without what has expired', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    const lateMs = harness.nowMs() + 600_000;
    const ids = ['d', 'a', 'ä', 'b', 'B', 'c'];
    await store.transact([
      putJob(job('aa'), { expiresAtMs: harness.nowMs() + ttlMs }),
      ...ids.map((id) => putJob(job(id), id === 'b' ? { expiresAtMs: lateMs } : {})),
    ]);
    await harness.settle();
    await harness.passTime(ttlMs + 1);
    const first = await jobs.scan('', 4);
    const second = await jobs.scan(first.at(-1)?.doc.id ?? '', 4);
    expect([...first, ...second]).toEqual(
      ['B', 'a', 'b', 'c', 'd', 'ä'].map((id) => ({ doc: job(id), expiresAtMs: id === 'b' ? lateMs : null })),
    );
    expect(await jobs.scan('ä', 4)).toEqual([]);
  });

  it('takes an expired document for one that is not there', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    const expiresAtMs = harness.nowMs() + ttlMs;
    await store.transact([putJob(job('a'), { expiresAtMs })]);
    await store.transact([putJob(job('a', { note: 'second' }), { expiresAtMs })]);
    expect(await store.transact([putJob(job('a'), { expected: 0 })])).toBe('revision_conflict');
    await harness.passTime(ttlMs + 1);
    expect(await store.transact([putJob(job('a'), { expected: 2 })])).toBe('revision_conflict');
    expect(await store.transact([putJob(job('a', { note: 'anew' }), { expected: 0 })])).toBe('written');
    await harness.settle();
    expect(await jobs.get('a')).toEqual({ doc: job('a', { note: 'anew' }), revision: 1 });
  });

  it('forgets an expiry that a later put does not name', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    await store.transact([putJob(job('a'), { expiresAtMs: harness.nowMs() + ttlMs })]);
    await store.transact([putJob(job('a'))]);
    await harness.passTime(ttlMs + 1);
    expect(await jobs.get('a')).not.toBeNull();
  });

  it('removes what has expired, at most as much as asked', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    const expiring = Array.from({ length: 5 }, (_, i) =>
      putJob(job(`gone-${i}`), { expiresAtMs: harness.nowMs() + ttlMs }),
    );
    await store.transact([...expiring, putJob(job('stays'))]);
    expect(await store.removeExpired(10)).toBe(0);
    await harness.passTime(ttlMs + 1);
    expect(await store.removeExpired(3)).toBe(3);
    expect(await store.removeExpired(10)).toBe(2);
    expect(await store.removeExpired(10)).toBe(0);
    expect(await jobs.get('stays')).not.toBeNull();
  });
}
