import { afterEach, expect, it } from 'vitest';
import type { SearchIndexes } from '../../../src/ports/search-index.ts';
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

  it('answers as of one moment also when a write becomes visible between two lists', async () => {
    way = await startFaultyWay(server);
    const { write } = await openIndex(await open(server));
    const put = (position: number) => [
      putOf('release', position, documentOf(`doc ${position}`, { body: 'quokka' })),
      vectorsOf('release', position, `doc ${position}`, towards(0)),
    ];
    await write(1, ...put(1));
    const reader = await (await open(way.url)).open(1);
    // The lists are asked one by one, with the write between them.
    way.betweenLists(async () => {
      await write(2, { kind: 'delete', index: 'release', position: 2, id: 'doc 1' }, ...put(2));
    });
    const answer = await reader.search([wordsList('quokka'), nearList(towards(0))]);
    expect(answer.map(({ hits }) => hits.map(({ id }) => id))).toEqual([['doc 2'], ['doc 2']]);
  });
});
