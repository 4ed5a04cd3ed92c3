import { afterEach, expect, it } from 'vitest';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { SearchIndexes } from '../../../src/ports/search-index.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { documentOf, nearList, openIndex, putOf, towards, vectorsOf } from '../../spec/search-index/harness.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { type FaultyWay, startFaultyWay } from './faulty-way.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

const nowMs = Date.parse('2026-03-01T12:30:00Z');
const soonMs = nowMs + 60_000;

describeOpenSearch((server) => {
  const prefix = newPrefix();
  let way: FaultyWay;
  let indexes: SearchIndexes;

  afterEach(async () => {
    await indexes.close();
    await way.close();
    await deleteIndexes(server, prefix);
  });

  it('asks in the next way for the lists alone that too little of passes, and for the others as before', async () => {
    way = await startFaultyWay(server);
    indexes = await createOpenSearchIndexes({ urls: [way.url], prefix, clock: systemClock, log: createKeptLog() });
    const { write, ids } = await openIndex(indexes);
    const docs = Array.from({ length: 40 }, (_, number) => ({
      id: `doc ${number}`,
      publishedMs: number < 30 ? soonMs : nowMs, // those that come out soon are the nearest
      vector: towards(0, number / 100),
    }));
    await write(
      1,
      ...docs.map(({ id, publishedMs }) => putOf('release', 1, documentOf(id, { publishedMs }))),
      ...docs.map(({ id, vector }) => vectorsOf('release', 1, id, vector)),
    );
    way.takeAsked();
    // As a second page does, which ranks the first once more.
    const listOf = (limit: number) => nearList(towards(0), { limit, filter: { toMs: nowMs, keepsUndated: true } });
    const [short, long] = await ids(listOf(5), listOf(50));
    const passing = docs.slice(30).map(({ id }) => id);
    expect([short, long]).toEqual([passing.slice(0, 5), passing]);
    const rounds = way.takeAsked();
    const [ofShort, ofLong] = [0, 1].map((at) => new Set(rounds.map((queries) => queries[at])));
    expect([rounds.length, ofShort!.size, ofLong!.size]).toEqual([3, 3, 1]);
  });
});
