import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectOpenSearch, type OpenSearchConnection } from '../../../src/adapters/opensearch/connection.ts';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { GenerationDropped, type SearchIndexes } from '../../../src/ports/search-index.ts';
import { createLiveSearch } from '../../../src/runtime/searching/live-search.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { documentOf, openIndex, putOf, towards, vectorsOf, wordsList } from '../../spec/search-index/harness.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

describeOpenSearch((server) => {
  let prefix: string;
  let connection: OpenSearchConnection;
  let [feeding, searching]: SearchIndexes[] = [];
  const open = () => createOpenSearchIndexes({ urls: [server], prefix, clock: systemClock, log: createKeptLog() });

  beforeEach(async () => {
    prefix = newPrefix();
    connection = connectOpenSearch([server]);
    [feeding, searching] = [await open(), await open()];
  });
  afterEach(async () => {
    for (const one of [feeding!, searching!, connection]) await one.close();
    await deleteIndexes(server, prefix);
  });

  it('is filled from the first event when one of its indexes was lost, by whoever feeds it', async () => {
    const one = [
      putOf('release', 5, documentOf('one', { title: 'quokka' })),
      vectorsOf('release', 5, 'one', towards(0)),
    ];
    const before = await openIndex(feeding!);
    await before.write(5, ...one);
    await feeding!.switchPointer(null, 1);
    const live = createLiveSearch(searching!);
    const found = async () => (await (await live())!.search([wordsList('quokka')]))[0]!.hits.map(({ id }) => id);
    expect(await found()).toEqual(['one']);
    await connection.ask({ what: 'lose an index', method: 'DELETE', path: `/${prefix}-release-g1-*` });
    await expect(found()).rejects.toThrow(GenerationDropped);
    expect(await found()).toEqual([]);
    expect(await before.index.leases.renew(before.lease, 1_000)).toBe(false); // whoever feeds begins anew
    expect(await searching!.pointer()).toBe(1);
    const anew = await openIndex(feeding!);
    expect(await anew.index.checkpoint()).toBe(0);
    expect(await anew.write(5, ...one)).toBe('written');
    expect(await anew.findNear(towards(0))).toEqual(['one']);
    expect(await found()).toEqual(['one']);
  });
});
