import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { createMongoOperationalStore } from '../../../src/adapters/mongodb/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { OperationalChange, OperationalStore } from '../../../src/ports/operational-store.ts';
import { dropMongoDatabase, mongoDatabaseUrl, namedServers } from '../servers/test-backends.ts';

/** A server has the real time; in a world whose time is the test's, what it would stamp is that. */
const stampedBy =
  (clock: Pick<Clock, 'nowMs'>) =>
  (change: OperationalChange): OperationalChange => {
    if (change.kind === 'delete' || change.stampsMs === undefined) return change;
    const { stampsMs, doc, ...put } = change;
    const stamps = Object.entries(stampsMs).map(([field, ms]) => [field, clock.nowMs() + ms] as const);
    return { ...put, doc: { ...doc, ...Object.fromEntries(stamps) } };
  };

async function openOnMongo(clock: Clock): Promise<OperationalStore> {
  const url = mongoDatabaseUrl();
  const connection = await openMongo({ url, appName: 'fetch world' });
  const ops = createMongoOperationalStore({ connection, clock: systemClock });
  return {
    ...ops,
    transact: (changes, lease) => ops.transact(changes.map(stampedBy(clock)), lease),
    close: async () => {
      await ops.close();
      await connection.close();
      await dropMongoDatabase(url);
    },
  };
}

/** What is kept about fetches: in the folder of a world, or on the server that the project of a test names. */
export const openFetchRecords = async (folder: string, clock: Clock): Promise<OperationalStore> =>
  namedServers().includes('mongodb')
    ? openOnMongo(clock)
    : createEmbeddedOperationalStore({
        folder,
        clock,
        onFatal: (error) => {
          throw error;
        },
      });
