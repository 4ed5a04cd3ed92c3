import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectOpenSearch, type OpenSearchConnection } from '../../../src/adapters/opensearch/connection.ts';
import { lookAtIndices } from '../../../src/adapters/opensearch/indices/indices.ts';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { GenerationDropped, type SearchIndexes } from '../../../src/ports/search-index.ts';
import { createLiveSearch } from '../../../src/runtime/searching/live-search.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { documentOf, openIndex, putOf, towards, vectorsOf, wordsList } from '../../spec/search-index/harness.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { startFaultyWay } from './faulty-way.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

describeOpenSearch((server) => {
  let prefix: string;
  let connection: OpenSearchConnection;
  let [feeding, searching]: SearchIndexes[] = [];
  let told: ReturnType<typeof createKeptLog>;
  const open = () => createOpenSearchIndexes({ urls: [server], prefix, clock: systemClock, log: told });
  const indexesOf = async (pattern: string): Promise<string[]> => {
    const { body } = await connection.ask<object>({ what: 'list indexes', method: 'GET', path: `/${pattern}/_alias` });
    return Object.keys(body).sort();
  };

  beforeEach(async () => {
    prefix = newPrefix();
    told = createKeptLog();
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
    expect(await indexesOf(`${prefix}-release`)).toEqual(await indexesOf(`${prefix}-release-g1-*`)); // by its alias
  });

  it('is filled from the first event when its state was lost, which is said aloud, and leaves nothing of before', async () => {
    const one = putOf('release', 5, documentOf('one', { title: 'quokka' }));
    await feeding!.setIdentity('ours');
    const before = await openIndex(feeding!);
    await before.write(5, one);
    await feeding!.switchPointer(null, 1);
    expect(await searching!.identity()).toBe('ours');
    const earlier = await indexesOf(`${prefix}-*-g*`);
    await connection.ask({ what: 'lose the state', method: 'DELETE', path: `/${prefix}-state` });
    expect(await searching!.pointer()).toBeNull();
    expect(told.lines).toEqual([{ level: 'warn', sentence: expect.stringContaining('was lost') }]);
    expect(await indexesOf(`${prefix}-*-g*`)).toEqual([]);
    expect(await feeding!.identity()).toBe('ours');
    await expect(before.write(6)).rejects.toThrow(GenerationDropped); // whoever feeds begins anew
    const anew = await openIndex(feeding!);
    expect(await anew.index.checkpoint()).toBe(0);
    await anew.write(5, one);
    await feeding!.switchPointer(null, 1);
    const rows = await lookAtIndices({ urls: [server], prefix });
    expect(rows.filter(({ state }) => state !== 'there')).toEqual([]);
    expect(rows.map(({ name }) => name).filter((name) => earlier.includes(name))).toEqual([]);
    expect(told.lines).toHaveLength(1);
  });

  it('leaves alone what another makes while it finds the state missing', async () => {
    await connection.ask({ what: 'lose the state', method: 'DELETE', path: `/${prefix}-state` });
    const meanwhile = await startFaultyWay(server);
    try {
      meanwhile.beforeAsked('-release-g*', async () => {
        await openIndex(feeding!);
      });
      const late = await createOpenSearchIndexes({ urls: [meanwhile.url], prefix, clock: systemClock, log: told });
      await late.close();
    } finally {
      await meanwhile.close();
    }
    const rows = await lookAtIndices({ urls: [server], prefix });
    expect(rows.map(({ state }) => state)).toEqual(['there', 'there', 'there', 'there']);
  });
});
