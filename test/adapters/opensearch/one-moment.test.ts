import { afterEach, expect, it } from 'vitest';
import type { SearchIndexes, SearchList } from '../../../src/ports/search-index.ts';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import {
  documentOf,
  nearList,
  openIndex,
  putOf,
  towards,
  vectorsOf,
  wordsList,
} from '../../spec/search-index/harness.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { type FaultyWay, startFaultyWay } from './faulty-way.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

describeOpenSearch((server) => {
  const prefix = newPrefix();
  const opened: SearchIndexes[] = [];
  let way: FaultyWay;

  const open = async (url: string): Promise<SearchIndexes> => {
    const indexes = await createOpenSearchIndexes({ urls: [url], prefix, clock: systemClock, log: createKeptLog() });
    opened.push(indexes);
    return indexes;
  };
  afterEach(async () => {
    for (const indexes of opened) await indexes.close();
    await way.close();
    await deleteIndexes(server, prefix);
  });

  /** One document, which is replaced by another before the last query is asked. */
  const openReplaced = async () => {
    way = await startFaultyWay(server);
    const { write } = await openIndex(await open(server));
    const put = (position: number) => [
      putOf('release', position, documentOf(`doc ${position}`, { body: 'quokka' })),
      vectorsOf('release', position, `doc ${position}`, towards(0)),
    ];
    await write(1, ...put(1));
    const reader = await (await open(way.url)).open(1);
    // The queries are asked one by one, with the write between them.
    way.betweenLists(async () => {
      await write(2, { kind: 'delete', index: 'release', position: 2, id: 'doc 1' }, ...put(2));
    });
    return async (...lists: readonly SearchList[]) =>
      (await reader.search(lists)).map(({ hits }) => hits.map(({ id }) => id));
  };

  it('answers as of one moment also when a write becomes visible between two lists', async () => {
    const idsOf = await openReplaced();
    expect(await idsOf(wordsList('quokka'), nearList(towards(0)))).toEqual([['doc 2'], ['doc 2']]);
  });

  it('answers as of one moment also when a write becomes visible between two vectors of a list', async () => {
    const idsOf = await openReplaced();
    expect(await idsOf(nearList([towards(0), towards(4)]))).toEqual([['doc 2']]);
  });
});
