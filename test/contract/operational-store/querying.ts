import { expect, it } from 'vitest';
import type { OperationalQuery } from '../../../src/ports/operational-store.ts';
import { inIndexOrder } from '../key-order.ts';
import {
  type Job,
  job,
  jobs as jobsDeclaration,
  openCollections,
  type OperationalStoreHarness,
  putJob,
} from './harness.ts';

const directions = ['ascending', 'descending'] as const;

export function specifyQuerying(harness: OperationalStoreHarness): void {
  it.each(directions)('pages through an index by keyset, %s', async (direction) => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    const dues = [null, 3, 'soon', -2, 3, 3, null, 'Late', 10, 'é'];
    const all = dues.map((dueAt, i) => job(`job-${i}`, { dueAt }));
    await store.transact([...all.map((doc) => putJob(doc)), putJob(job('other', { queue: 'r' }))]);
    await harness.settle();
    const seen: Job[] = [];
    for (;;) {
      const last = seen.at(-1);
      const query: OperationalQuery = { index: 'byDue', equals: { queue: 'q' }, direction, limit: 3 };
      const page = await jobs.query(last ? { ...query, after: [last.dueAt, last.id] } : query);
      if (page.length === 0) break;
      seen.push(...page.map(({ doc }) => doc));
    }
    expect(seen).toEqual(inIndexOrder(all, ['dueAt', 'id'], direction));
  });

  it('keeps within bounds and gives revisions', async () => {
    const store = await harness.make();
    const { jobs } = await openCollections(store);
    await store.transact([1, 2, 3, 4].map((dueAt) => putJob(job(`job-${dueAt}`, { dueAt }))));
    await store.transact([putJob(job('job-2', { dueAt: 2, note: 'again' }))]);
    await harness.settle();
    expect(await jobs.query({ index: 'byDue', equals: { queue: 'q' }, from: 2, to: 3, limit: 9 })).toEqual([
      { doc: job('job-2', { dueAt: 2, note: 'again' }), revision: 2 },
      { doc: job('job-3', { dueAt: 3 }), revision: 1 },
    ]);
    const behind = { index: 'byDue', equals: { queue: 'q' }, after: [1, 'job-1'], to: 3, limit: 9 };
    expect((await jobs.query(behind)).map(({ doc }) => doc.id)).toEqual(['job-2', 'job-3']);
  });

  it('refuses what is not declared', async () => {
    const store = await harness.make();
    const { jobs, counters } = await openCollections(store);
    await expect(jobs.query({ index: 'byNote', equals: {}, limit: 1 })).rejects.toThrow(/byNote/);
    await expect(jobs.query({ index: 'byDue', equals: { dueAt: 1 }, limit: 1 })).rejects.toThrow(/leading/);
    await expect(jobs.query({ index: 'byDue', equals: { queue: 'q' }, after: ['x'], limit: 1 })).rejects.toThrow(
      /keyset/,
    );
    await expect(counters.query({ index: 'byDue', equals: {}, limit: 1 })).rejects.toThrow(/byDue/);
    await expect(store.collection({ ...jobsDeclaration, indexes: {} })).rejects.toThrow(/jobs/);
  });

  it('finds stored documents by an index that is declared later', async () => {
    const store = await harness.make();
    await openCollections(store);
    await store.transact([putJob(job('a', { dueAt: 1 })), putJob(job('b', { queue: 'r', dueAt: 2 }))]);
    const declaration = { name: 'jobs', indexes: { byQueue: ['queue'] } };
    const later = await harness.interrupt(store);
    const jobs = await later.collection<Job>(declaration);
    expect((await jobs.query({ index: 'byQueue', equals: { queue: 'r' }, limit: 9 })).map(({ doc }) => doc.id)).toEqual(
      ['b'],
    );
    await later.transact([putJob(job('c', { dueAt: 3 }))]);
    const again = await harness.interrupt(later);
    const restored = await again.collection<Job>(jobsDeclaration);
    const byDue = await restored.query({ index: 'byDue', equals: { queue: 'q' }, from: 1, limit: 9 });
    expect(byDue.map(({ doc }) => doc.id)).toEqual(['a', 'c']);
  });
}
