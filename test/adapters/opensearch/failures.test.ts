import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { type SearchIndexes, VectorsUnavailable } from '../../../src/ports/search-index.ts';
import { eventually } from '../../spec/eventually.ts';
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
import { startTcpProxy, type TcpProxy } from '../../spec/servers/tcp-proxy.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { startFaultyWay } from './faulty-way.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

const open = (url: string, prefix: string): Promise<SearchIndexes> =>
  createOpenSearchIndexes({ urls: [url], prefix, clock: systemClock, log: createKeptLog() });

const thrownBy = async (work: () => Promise<unknown>): Promise<Error> => {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('this should have failed');
};

const everythingIn = (error: Error): string => inspect(error, { depth: 20, showHidden: true });

describe('an OpenSearch that cannot be had', () => {
  it('is unavailable, and the password is in no message', async () => {
    const closed = await startTcpProxy({ host: '127.0.0.1', port: 9 });
    await closed.close();
    const error = await thrownBy(() => open(`http://me:s3cret@127.0.0.1:${closed.port}`, 'x'));
    expect(error).toBeInstanceOf(BackendUnavailable);
    expect(error).toMatchObject({ backend: 'OpenSearch' });
    expect(everythingIn(error)).not.toMatch(/s3cret|bWU6czNjcmV0/); // nor as a header has it
  });

  it.each(['me:s3cret@host', 'http://me:s3cret@host:port', 'http://'])(
    'is a start-up error when its address cannot be read, without the password: %s',
    async (url) => {
      const error = await thrownBy(() => open(url, 'x'));
      expect(error).toBeInstanceOf(StartupError);
      expect(everythingIn(error)).not.toContain('s3cret');
    },
  );

  it('is a start-up error when its indexes would have a name that the server takes not', async () => {
    for (const prefix of ['', 'Upper', '_first', 'a b', 'a*']) {
      expect(await thrownBy(() => open('http://127.0.0.1:9', prefix))).toBeInstanceOf(StartupError);
    }
  });
});

describeOpenSearch((server) => {
  let prefix: string;
  let proxy: TcpProxy;
  let indexes: SearchIndexes;

  beforeEach(async () => {
    prefix = newPrefix();
    const { hostname, port } = new URL(server);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    indexes = await open(`http://127.0.0.1:${proxy.port}`, prefix);
  });
  afterEach(async () => {
    await indexes.close();
    await proxy.close();
    await deleteIndexes(server, prefix);
  });

  const untilBack = () =>
    eventually('the server is used again', () =>
      indexes.pointer().then(
        () => true,
        () => false,
      ),
    );

  it('goes on after its connections were cut', async () => {
    const { write, find, index } = await openIndex(indexes);
    for (let round = 1; round <= 5; round += 1) {
      proxy.cut();
      expect(await write(round, putOf('release', round, documentOf(`doc ${round}`, { title: 'quokka' })))).toBe(
        'written',
      );
      proxy.cut();
      expect(await find('quokka')).toHaveLength(round);
      proxy.cut();
      expect(await index.checkpoint()).toBe(round);
    }
  });

  it('is unavailable while nobody answers, for every kind of call, and is back by itself', async () => {
    const { index, lease, write } = await openIndex(indexes);
    await write(1, putOf('release', 1, documentOf('one', { title: 'quokka' })));
    await proxy.refuse();
    const calls: Record<string, () => Promise<unknown>> = {
      search: () => index.search([wordsList('quokka')]),
      'search by vectors': () => index.search([nearList(towards(0))]),
      'search for nothing': () => index.search([]),
      matching: () => index.matching('release', ['one'], { tokens: ['quokka'], isPrefix: false }),
      vectorsOf: () => index.vectorsOf('release', 'one', vectorSpace),
      write: () => index.write({ changes: [], position: 2, lease }),
      withoutVectors: () => index.withoutVectors('release', { space: vectorSpace }, { position: 0, id: '' }, 1),
      checkpoint: () => index.checkpoint(),
      count: () => index.count('release'),
      settle: () => index.settle(),
      scrub: () => index.scrub(),
      acquire: () => index.leases.acquire('other', 'me', 1_000),
      renew: () => index.leases.renew(lease, 1_000),
      release: () => index.leases.release(lease),
      open: () => indexes.open(2),
      pointer: () => indexes.pointer(),
      switchPointer: () => indexes.switchPointer(null, 1),
      generations: () => indexes.generations(),
      drop: () => indexes.drop(1),
      identity: () => indexes.identity(),
      setIdentity: () => indexes.setIdentity('a registry'),
      isLeased: () => index.isLeased('other'),
    };
    const errors = await Promise.all(
      Object.entries(calls).map(async ([name, call]) => [name, (await thrownBy(call)).constructor.name]),
    );
    expect(errors).toEqual(Object.keys(calls).map((name) => [name, 'BackendUnavailable']));
    await proxy.resume();
    await untilBack();
    expect(await write(2, putOf('release', 2, documentOf('two', { title: 'quokka' })))).toBe('written');
    expect((await index.search([wordsList('quokka')]))[0]!.hits).toHaveLength(2);
  });

  it('is unavailable when the server takes calls and does not answer', async () => {
    const { index, lease, write } = await openIndex(indexes);
    proxy.hold();
    const errors = await Promise.all([
      thrownBy(() => index.search([wordsList('quokka')])),
      thrownBy(() => index.write({ changes: [], position: 1, lease })),
      thrownBy(() => index.settle()),
    ]);
    for (const error of errors) expect(error).toBeInstanceOf(BackendUnavailable);
    await proxy.resume();
    await untilBack();
    expect(await write(1, putOf('release', 1, documentOf('one', { title: 'quokka' })))).toBe('written');
    expect((await index.search([wordsList('quokka')]))[0]!.hits).toHaveLength(1);
  });

  it('stores each write once that is sent again after it was cut off, wherever that was', async () => {
    const { index, lease } = await openIndex(indexes);
    const outcomeOf = async (position: number) => {
      const id = `doc ${position}`;
      const changes = [
        putOf('release', position, documentOf(id, { title: 'quokka' })),
        vectorsOf('release', position, id, towards(0)),
      ];
      return index.write({ changes, position, lease }).catch((error: unknown) => {
        if (error instanceof BackendUnavailable) return 'unknown';
        throw error;
      });
    };
    const positions = Array.from({ length: 30 }, (_, number) => number + 1);
    for (const position of positions) {
      proxy.cutAfter(1 + (position % 15));
      let outcome = await outcomeOf(position);
      while (outcome === 'unknown') outcome = await outcomeOf(position);
      expect(['written', 'behind']).toContain(outcome);
      expect(await index.checkpoint()).toBe(position);
    }
    await index.settle();
    const found = await index.search([wordsList('quokka'), nearList(towards(0))]);
    expect(found.map(({ hits }) => hits.length)).toEqual([positions.length, positions.length]);
    expect(await index.count('release')).toBe(positions.length);
  });

  it('takes what is ours for no outage: vectors of other dimensions are refused in words', async () => {
    const { index, write } = await openIndex(indexes);
    await write(
      1,
      putOf('release', 1, documentOf('one', { title: 'quokka' })),
      vectorsOf('release', 1, 'one', towards(0)),
    );
    const error = await thrownBy(() => index.search([nearList(Float32Array.of(1, 0, 0))]));
    expect(error).toBeInstanceOf(VectorsUnavailable);
    expect(error.message).toMatch(/dimension/);
    const change = vectorsOf('release', 1, 'one', Float32Array.of(1, 0, 0));
    expect((await thrownBy(() => write(null, change))).message).toMatch(/dimension/);
    expect(await write(null, vectorsOf('release', 1, 'one', towards(4)))).toBe('written');
  });

  it('finds by words while vectors cannot be searched, and by both again afterwards', async () => {
    const faulty = await startFaultyWay(server);
    const through = await open(faulty.url, prefix);
    const { write, ids, find, findNear } = await openIndex(through);
    await write(
      1,
      putOf('release', 1, documentOf('one', { title: 'quokka' })),
      vectorsOf('release', 1, 'one', towards(0)),
    );
    const both = () => ids(wordsList('quokka'), nearList(towards(0)));
    for (const fault of ['vectors', 'refused vectors'] as const) {
      faulty.fail(fault);
      await expect(both()).rejects.toThrow(VectorsUnavailable);
      await expect(findNear(towards(0))).rejects.toThrow(VectorsUnavailable);
      expect(await find('quokka')).toEqual(['one']);
    }
    faulty.fail('everything');
    await expect(both()).rejects.toThrow(BackendUnavailable);
    faulty.fail('nothing');
    expect(await both()).toEqual([['one'], ['one']]);
    await through.close();
    await faulty.close();
  });

  it('sends in smaller pieces what the server takes not at once', async () => {
    const faulty = await startFaultyWay(server, { bodyBytesMax: 4_000 });
    const through = await open(faulty.url, prefix);
    const { write, find } = await openIndex(through);
    const docs = Array.from({ length: 40 }, (_, number) =>
      documentOf(`doc ${number}`, { title: 'quokka', body: 'words '.repeat(30) }),
    );
    expect(await write(1, ...docs.map((doc) => putOf('release', 1, doc)))).toBe('written');
    expect(await find('quokka')).toHaveLength(docs.length);
    await through.close();
    await faulty.close();
  });
});
