import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MongoConnection, openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { createMongoOperationalStore } from '../../../src/adapters/mongodb/operational-store/operational-store.ts';
import { createMongoReadModels } from '../../../src/adapters/mongodb/read-models/read-models.ts';
import { createMongoVectorStore } from '../../../src/adapters/mongodb/vector-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { put } from '../../../src/kernel/projection.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { counters, jobs as jobsDeclaration, putCounter } from '../../contract/operational-store/harness.ts';
import { openThings, thing } from '../../contract/read-models/harness.ts';
import { eventually } from '../../spec/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../../spec/servers/tcp-proxy.ts';
import { describeMongo } from './describe-mongo.ts';
import { dropDatabase, newDatabaseUrl } from './mongo-backends.ts';

const appName = 'failures';

const thrownBy = async (work: () => Promise<unknown>): Promise<Error> => {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('this should have failed');
};

describe('a MongoDB that cannot be had', () => {
  it('is unavailable, and the password is in no message', async () => {
    const closed = await startTcpProxy({ host: '127.0.0.1', port: 9 });
    await closed.close();
    const error = await thrownBy(() => openMongo({ url: `mongodb://me:s3cret@127.0.0.1:${closed.port}/x`, appName }));
    expect(error).toBeInstanceOf(BackendUnavailable);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('s3cret');
  });

  it.each([
    'mongodb://me:s3cret:@',
    'me:s3cret@host',
    'mongodb://me:s3c%ret@host/x',
    'mongodb://me:s3cret@host?w=x&tls=7',
  ])('is a start-up error when its address cannot be read, without the password: %s', async (url) => {
    const error = await thrownBy(() => openMongo({ url, appName }));
    expect(error).toBeInstanceOf(StartupError);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/s3c%?r?e?t/);
  });
});

describeMongo((server) => {
  let url: string;
  let proxiedUrl: string;
  let proxy: TcpProxy;
  let connection: MongoConnection;
  /** Those of the driver, to our proxy. */
  const sockets = new Set<Socket>();
  const noteSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('connect', () => {
      if (socket.remotePort === proxy.port) sockets.add(socket);
    });
    socket.once('close', () => sockets.delete(socket));
  };
  beforeAll(() => channel('net.client.socket').subscribe(noteSocket));
  afterAll(() => void channel('net.client.socket').unsubscribe(noteSocket));

  beforeEach(async () => {
    url = newDatabaseUrl(server);
    const { hostname, port } = new URL(url);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const proxied = new URL(url);
    proxied.host = `127.0.0.1:${proxy.port}`;
    proxied.search = 'directConnection=true'; // the set would tell the driver the way round the proxy
    proxiedUrl = proxied.href;
    connection = await openMongo({ url: proxiedUrl, appName });
  });
  afterEach(async () => {
    await connection.close();
    await proxy.close();
    await dropDatabase(url);
  });

  it('goes on after its connections were cut', async () => {
    const ops = createMongoOperationalStore({ connection, clock: systemClock });
    const collection = await ops.collection(counters);
    const { write, ids } = await openThings(createMongoReadModels({ connection, clock: systemClock }));
    for (let round = 1; round <= 5; round += 1) {
      proxy.cut();
      expect(await ops.transact([putCounter('n', round)])).toBe('written');
      proxy.cut();
      expect(await collection.get('n')).toMatchObject({ doc: { value: round } });
      proxy.cut();
      expect(await write(round, put(thing(`t${round}`)))).toBe('written');
    }
    expect(await ids()).toHaveLength(5);
  });

  it.each([
    ['closed', 'none', (socket: Socket) => socket.destroy()],
    ['closed', 'zlib', (socket: Socket) => socket.destroy()],
    ['ended', 'none', (socket: Socket) => socket.end()],
    ['reset', 'none', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'leaves nobody waiting whose connection is %s where the driver has not heard of it yet (%s)',
    async (_, compressors, leave) => {
      const compressed = new URL(proxiedUrl);
      compressed.searchParams.set('compressors', compressors);
      const used = await openMongo({ url: compressed.href, appName });
      const ops = createMongoOperationalStore({ connection: used, clock: systemClock });
      const collection = await ops.collection(counters);
      const rounds = 48; // more than there are connections: none of them may lose its place
      for (let round = 1; round <= rounds; round += 1) {
        let met: PromiseSettledResult<unknown>[] = [];
        const ask = (): void =>
          void Promise.allSettled([ops.transact([putCounter('n', round)]), collection.get('other')]).then((both) => {
            met = both;
          });
        const leaveAll = (): void => sockets.forEach(leave); // it is heard in the next turn
        if (round % 2 === 0) ask();
        else leaveAll();
        for (let turn = 0; turn < round % 4; turn += 1) await nextTurn();
        if (round % 2 === 0) leaveAll();
        else ask();
        await eventually('both are answered', () => met.length === 2, { withinMs: 30_000, everyMs: 1 });
        for (const one of met) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(BackendUnavailable);
        expect(await ops.transact([putCounter('n', round)])).toBe('written');
      }
      expect(await collection.get('n')).toMatchObject({ doc: { value: rounds } });
      await used.close();
    },
  );

  it('tells everything after its connections were cut, and that it is unavailable where one is cut meanwhile', async () => {
    const { model, putAll } = await openThings(createMongoReadModels({ connection, clock: systemClock }));
    const things = Array.from({ length: 8_100 }, (_, number) => thing(`t-${number}`));
    await putAll(1, things);
    const readAll = async (onFirst: () => void): Promise<number> => {
      let count = 0;
      await model.readAll((page) => {
        if (count === 0) onFirst();
        count += page.length;
      });
      return count;
    };
    for (let round = 0; round < 5; round += 1) {
      proxy.cut();
      expect(await readAll(() => undefined)).toBe(things.length);
    }
    expect(await thrownBy(() => readAll(proxy.cut))).toBeInstanceOf(BackendUnavailable);
    expect(await readAll(() => undefined)).toBe(things.length);
  });

  it('writes each of several transactions that one cut meets, though the driver calls only the first repeatable', async () => {
    const ops = createMongoOperationalStore({ connection, clock: systemClock });
    const collection = await ops.collection(counters);
    const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
    const writeAll = (value: number) =>
      Promise.all(
        names.map((name) => {
          const once = { expected: value }; // for a second time it would be one more
          return ops.transact([putCounter(name, value, once), putCounter(`${name}-too`, value, once)]);
        }),
      );
    await writeAll(0);
    const rounds = 40;
    for (let round = 1; round <= rounds; round += 1) {
      proxy.cutAfter(2 * round); // some meet what is looked for first, some the writes, some the commits
      expect(await writeAll(round)).toEqual(names.map(() => 'written'));
    }
    expect(await Promise.all(names.map((name) => collection.get(name)))).toMatchObject(
      names.map(() => ({ doc: { value: rounds } })),
    );
  });

  it('is unavailable while nobody answers, for every kind of call, and is back by itself', async () => {
    const ops = createMongoOperationalStore({ connection, clock: systemClock });
    const models = createMongoReadModels({ connection, clock: systemClock });
    const collection = await ops.collection(counters);
    const { model, lease, write } = await openThings(models);
    const vectors = await createMongoVectorStore(connection);
    await proxy.refuse();
    const calls: Record<string, () => Promise<unknown>> = {
      get: () => model.get(['a']),
      query: () => model.query({ index: 'byRank', equals: {}, limit: 1 }),
      scan: () => model.scan('', 1),
      readAll: () => model.readAll(() => undefined),
      changedAfter: () => model.changedAfter({ position: 0, id: '' }, 1),
      write: () => write(1, put(thing('a'))),
      checkpoint: () => model.checkpoint(),
      acquire: () => model.leases.acquire('other', 'me', 1000),
      renew: () => model.leases.renew(lease, 1000),
      release: () => model.leases.release(lease),
      completeIndexes: () => model.completeIndexes(),
      open: () => models.open(model.declaration),
      pointers: () => models.pointers(),
      passOver: () => models.passOver([{ name: 'things', generation: 1, from: 0, position: 1 }]),
      writeTogether: () => models.writeTogether!([{ name: 'things', generation: 1, changes: [], position: 1, lease }]),
      'write of vectors': () => vectors.put('model', [{ textHash: 'hash', vector: new Float32Array([1]) }]),
      switchPointers: () => models.switchPointers([{ name: 'things', expected: null, generation: 1 }]),
      generations: () => models.generations('things'),
      pastGenerations: () => models.pastGenerations('things'),
      drop: () => models.drop('things', 1),
      identity: () => models.identity(),
      setIdentity: () => models.setIdentity('reg_1'),
      collection: () => ops.collection(jobsDeclaration),
      'get of a collection': () => collection.get('n'),
      'scan of a collection': () => collection.scan('', 1),
      transact: () => ops.transact([putCounter('n', 1)]),
      'transact with a lease': () => ops.transact([putCounter('n', 1)], lease),
      removeExpired: () => ops.removeExpired(1),
      'operational lease': () => ops.leases.acquire('job', 'me', 1000),
      'operational identity': () => ops.identity(),
    };
    const errors = await Promise.all(
      Object.entries(calls).map(async ([name, call]) => [name, (await thrownBy(call)).constructor.name]),
    );
    expect(errors).toEqual(Object.keys(calls).map((name) => [name, 'BackendUnavailable']));
    await proxy.resume();
    expect(await ops.collection(jobsDeclaration)).toBeDefined();
    expect(await write(1, put(thing('a')))).toBe('written');
  });

  it('is unavailable when the server takes calls and does not answer', async () => {
    const { model, write } = await openThings(createMongoReadModels({ connection, clock: systemClock }));
    proxy.hold();
    const errors = await Promise.all([thrownBy(() => model.get(['a'])), thrownBy(() => write(1, put(thing('a'))))]);
    for (const error of errors) expect(error).toBeInstanceOf(BackendUnavailable);
    await proxy.resume();
    expect(await model.get(['a'])).toEqual([]);
    expect(await write(1, put(thing('a')))).toBe('written');
  });

  it('stores each write once that is sent again after it was cut off, wherever that was', async () => {
    const { model, write, ids } = await openThings(createMongoReadModels({ connection, clock: systemClock }));
    const outcomeOf = (position: number) =>
      write(position, put(thing(`t${position}`))).catch((error: unknown) => {
        if (error instanceof BackendUnavailable) return 'unknown';
        throw error;
      });
    const positions = Array.from({ length: 30 }, (_, i) => i + 1);
    for (const position of positions) {
      proxy.cutAfter(1 + (position % 15));
      let outcome = await outcomeOf(position);
      while (outcome === 'unknown') outcome = await outcomeOf(position);
      expect(['written', 'behind']).toContain(outcome);
      expect(await model.checkpoint()).toBe(position);
    }
    expect(await ids()).toHaveLength(positions.length);
  });
});
