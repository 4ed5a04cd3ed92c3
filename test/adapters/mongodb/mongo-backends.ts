import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { type MongoConnection, openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { eventually } from '../../spec/eventually.ts';

interface Closable {
  readonly close: () => Promise<void>;
}

/** The address of a database on that server which is not there yet. */
export const newDatabaseUrl = (server: string): string =>
  server.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/test-${randomUUID()}`);

export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
}

/** Databases of one harness and the stores opened on them. The store's clock is that of the server: real time. */
export function createMongoBackends<Store extends Closable>(
  server: string,
  open: (connection: MongoConnection, clock: Clock) => Store | Promise<Store>,
) {
  let urls: string[] = [];
  let stores = new Map<Store, { readonly url: string; readonly connection: MongoConnection }>();

  const newUrl = (): string => {
    const url = newDatabaseUrl(server);
    urls.push(url);
    return url;
  };
  const openOn = async (url: string): Promise<Store> => {
    const connection = await openMongo({ url, appName: 'contract suite' });
    const store = await open(connection, systemClock);
    stores.set(store, { url, connection });
    return store;
  };
  const serverTimeMs = async (): Promise<number> => {
    const [opened] = stores.values();
    if (opened === undefined) throw new Error('nothing was made whose time could pass');
    const { localTime } = await opened.connection.db.command({ hello: 1 });
    return (localTime as Date).getTime();
  };

  return {
    nowMs: systemClock.nowMs, // the server runs on the same machine, or on one whose clock is set as well
    make: () => openOn(newUrl()),
    makeTwoOnOneBackend: async (): Promise<[Store, Store]> => {
      const url = newUrl();
      return [await openOn(url), await openOn(url)];
    },
    settle: async () => {}, // an acknowledged write is seen by every reader
    interrupt: async (store: Store): Promise<Store> => {
      const opened = stores.get(store);
      if (opened === undefined) throw new Error('this store is not one of the harness');
      await store.close();
      await opened.connection.close();
      stores.delete(store);
      return openOn(opened.url);
    },
    passTime: async (ms: number) => {
      const endMs = (await serverTimeMs()) + ms;
      await eventually('the clock of the server moves on', async () => (await serverTimeMs()) >= endMs);
    },
    close: async () => {
      for (const [store, { connection }] of stores) {
        await store.close();
        await connection.close();
      }
      await Promise.all(urls.map(dropDatabase));
      urls = [];
      stores = new Map();
    },
  };
}
