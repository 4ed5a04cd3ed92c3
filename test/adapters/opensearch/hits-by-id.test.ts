import { afterEach, expect, it } from 'vitest';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { SearchIndexes } from '../../../src/ports/search-index.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import {
  documentOf,
  nearList,
  openIndex,
  putOf,
  towards,
  vectorSpace,
  vectorsOf,
  wordsList,
} from '../../spec/search-index/harness.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { type FaultyWay, startFaultyWay } from './faulty-way.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

describeOpenSearch((server) => {
  const prefix = newPrefix();
  let way: FaultyWay;
  let indexes: SearchIndexes;

  afterEach(async () => {
    await indexes.close();
    await way.close();
    await deleteIndexes(server, prefix);
  });

  it('has the server unpack nothing of what it finds: neither texts nor the names that are kept with them', async () => {
    way = await startFaultyWay(server);
    const urls = [way.url];
    indexes = await createOpenSearchIndexes({ urls, prefix, clock: systemClock, log: createKeptLog() });
    const { index, write } = await openIndex(indexes);
    await write(
      1,
      putOf('release', 1, documentOf('one', { title: 'quokka' })),
      vectorsOf('release', 1, 'one', towards(0)),
      putOf('release', 1, documentOf('two', { title: 'quokka' })),
    );
    const words = { tokens: ['quokka'], isPrefix: false };
    const nothing = { position: 0, id: '' };
    const lists = await index.search([wordsList('quokka'), nearList(towards(0)), { ...wordsList('quokka'), words }]);
    expect(lists.map(({ hits }) => hits.length)).toEqual([2, 1, 2]);
    expect(await index.matching('release', ['one'], words)).toEqual(new Set(['one']));
    expect(await index.idsOfSource('release', 'src_a', '', 9)).toEqual(['one', 'two']);
    const waiting = await index.withoutVectors('release', { space: vectorSpace }, nothing, 9);
    expect(waiting).toEqual([{ id: 'two', position: 1 }]);
    const found = way.takeFound();
    expect(found).toHaveLength(4);
    for (const answer of found) expect(answer).not.toMatch(/"_(id|source)"/);
  });
});
