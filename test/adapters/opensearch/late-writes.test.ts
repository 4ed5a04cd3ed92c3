import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import type { Lease } from '../../../src/ports/leases.ts';
import type { SearchChange, SearchIndex, SearchIndexes } from '../../../src/ports/search-index.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import {
  documentOf,
  nearList,
  putOf,
  towards,
  vectorSpace,
  vectorsOf,
  wordsList,
} from '../../spec/search-index/harness.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { type FaultyWay, startFaultyWay } from './faulty-way.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

const shortMs = 400;
const longMs = 600_000;

/** What was sent and has not arrived yet, while somebody else goes on. */
describeOpenSearch((server) => {
  let prefix: string;
  let clock: FakeClock;
  let way: FaultyWay;
  let late: { readonly indexes: SearchIndexes; readonly index: SearchIndex };
  let other: { readonly indexes: SearchIndexes; readonly index: SearchIndex };

  const open = async (url: string) => {
    const indexes = await createOpenSearchIndexes({ urls: [url], prefix, clock, log: createKeptLog() });
    return { indexes, index: await indexes.open(1) };
  };
  const taken = async (index: SearchIndex, name: string, holder: string, ttlMs = longMs) => {
    const lease = await index.leases.acquire(name, holder, ttlMs);
    if (lease === null) throw new Error('the lease should have been free');
    return lease;
  };
  const found = async (word: string) => (await other.index.search([wordsList(word)]))[0]!.hits.map(({ id }) => id);

  beforeEach(async () => {
    prefix = newPrefix();
    clock = createFakeClock();
    way = await startFaultyWay(server);
    late = await open(way.url);
    other = await open(server);
  });
  afterEach(async () => {
    await late.indexes.close();
    await other.indexes.close();
    await way.close();
    await deleteIndexes(server, prefix);
  });

  it('lets nobody take the lease over before it has arrived, and shows it to who does', async () => {
    const lease = await taken(late.index, 'feed', 'late', shortMs);
    const held = way.holdBulk();
    const changes = [putOf('release', 1, documentOf('one', { title: 'quokka' }))];
    const writing = late.index.write({ changes, position: 1, lease });
    await held.reached;
    clock.advance(shortMs + 1);
    let isOver = false;
    const taking = taken(other.index, 'feed', 'other').then((next) => {
      isOver = true;
      return next;
    });
    await eventually('the lease is lost', async () => !(await other.index.leases.renew(lease, 0)));
    expect(isOver).toBe(false);
    held.letGo();
    expect(await writing).toBe('written');
    const next = await taking;
    expect(await found('quokka')).toEqual(['one']);
    expect(await other.index.checkpoint()).toBe(1);
    expect(await late.index.write({ changes: [], position: 2, lease })).toBe('stale_lease');
    expect(await other.index.write({ changes: [], position: 2, lease: next })).toBe('written');
  });

  it('waits no longer than a write can take, which then has not been written', async () => {
    const lease = await taken(late.index, 'feed', 'late', shortMs);
    const held = way.holdBulk();
    const changes = [putOf('release', 1, documentOf('one', { title: 'quokka' }))];
    const writing = late.index.write({ changes, position: 1, lease });
    await held.reached;
    clock.advance(longMs);
    let next: Lease | null = null;
    const taking = taken(other.index, 'feed', 'other').then((lease) => {
      next = lease;
    });
    await eventually('the lease is given', () => next !== null);
    await taking;
    const newer = [putOf('release', 2, documentOf('one', { title: 'wombat' }))];
    expect(await other.index.write({ changes: newer, position: 2, lease: next! })).toBe('written');
    held.letGo();
    expect(await writing).toBe('stale_lease');
    await other.index.settle();
    expect([await found('quokka'), await found('wombat')]).toEqual([[], ['one']]);
    expect(await other.index.checkpoint()).toBe(2);
  });

  it('sends no more of a write whose time was over when another took the lease', async () => {
    const feed = await taken(late.index, 'feed', 'late', shortMs);
    const known = [putOf('release', 1, documentOf('known', { title: 'wombat' }))];
    await late.index.write({ changes: known, position: 1, lease: feed });
    const held = way.holdBulk();
    const changes = [
      putOf('release', 2, documentOf('one', { title: 'quokka' })),
      vectorsOf('release', 1, 'known', towards(0)), // sent when the document is written
    ];
    const writing = late.index.write({ changes, position: 2, lease: feed });
    await held.reached;
    clock.advance(longMs);
    await taken(other.index, 'feed', 'other');
    held.letGo();
    expect(await writing).toBe('stale_lease');
    expect(await other.index.vectorsOf('release', 'known', vectorSpace)).toEqual([]);
    expect(await other.index.checkpoint()).toBe(1);
  });

  it('sends all of a long write while the lease is with its writer', async () => {
    const feed = await taken(late.index, 'feed', 'late', longMs);
    const known = [putOf('release', 1, documentOf('known', { title: 'wombat' }))];
    await late.index.write({ changes: known, position: 1, lease: feed });
    const held = way.holdBulk();
    const changes = [
      putOf('release', 2, documentOf('one', { title: 'quokka' })),
      vectorsOf('release', 1, 'known', towards(0)),
    ];
    const writing = late.index.write({ changes, position: 2, lease: feed });
    await held.reached;
    clock.advance(longMs);
    held.letGo();
    expect(await writing).toBe('written');
    expect(await other.index.vectorsOf('release', 'known', vectorSpace)).toHaveLength(1);
  });

  it.each<{ what: string; change: SearchChange; words: readonly string[] }>([
    {
      what: 'another text',
      change: putOf('release', 2, documentOf('one', { title: 'wombat' })),
      words: ['one'],
    },
    { what: 'no document', change: { kind: 'delete', index: 'release', position: 2, id: 'one' }, words: [] },
  ])('leaves vectors out that meet $what when they arrive', async ({ change, words }) => {
    const feed = await taken(other.index, 'feed', 'other');
    const before = [putOf('release', 1, documentOf('one', { title: 'wombat' }))];
    await other.index.write({ changes: before, position: 1, lease: feed });
    const filler = await taken(late.index, 'vectors', 'late');
    const held = way.holdBulk();
    const vectors = [vectorsOf('release', 1, 'one', towards(0))];
    const writing = late.index.write({ changes: vectors, position: null, lease: filler });
    await held.reached;
    expect(await other.index.write({ changes: [change], position: 2, lease: feed })).toBe('written');
    held.letGo();
    expect(await writing).toBe('written');
    await other.index.settle();
    expect(await found('wombat')).toEqual(words);
    expect((await other.index.search([nearList(towards(0))]))[0]!.hits).toEqual([]);
    expect(await other.index.vectorsOf('release', 'one', vectorSpace)).toEqual([]);
  });

  it('takes vectors that come after their text, and none of a text before', async () => {
    const feed = await taken(other.index, 'feed', 'other');
    const docs = ['same', 'newer'].map((id) => putOf('release', 2, documentOf(id)));
    await other.index.write({ changes: docs, position: 2, lease: feed });
    const filler = await taken(late.index, 'vectors', 'late');
    const changes = [vectorsOf('release', 2, 'same', towards(0)), vectorsOf('release', 1, 'newer', towards(0))];
    expect(await late.index.write({ changes, position: null, lease: filler })).toBe('written');
    await late.index.settle();
    const [near] = await other.index.search([nearList(towards(0))]);
    expect(near!.hits.map(({ id }) => id)).toEqual(['same']);
  });

  it('makes nothing anew that was dropped meanwhile', async () => {
    const lease = await taken(late.index, 'feed', 'late');
    const held = way.holdBulk();
    const changes = [putOf('release', 1, documentOf('one', { title: 'quokka' }))];
    const writing = late.index.write({ changes, position: 1, lease });
    await held.reached;
    await other.indexes.drop(1);
    held.letGo();
    await expect(writing).rejects.toThrow(/dropped/);
    expect(await other.indexes.generations()).toEqual([]);
    const anew = await other.indexes.open(1);
    expect([await anew.count('release'), await anew.checkpoint()]).toEqual([0, 0]);
  });
});
