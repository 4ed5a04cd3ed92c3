import { createWhileHeldUp } from '../../../src/adapters/mongodb/abandoned-transactions.ts';
import { openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { opsCollectionName } from '../../../src/adapters/mongodb/operational-store/declarations.ts';
import { opsLeasesCollection } from '../../../src/adapters/mongodb/operational-store/lease-place.ts';
import { createRunTransaction } from '../../../src/adapters/mongodb/transaction.ts';
import { systemClock as clock } from '../../../src/adapters/system/clock.ts';
import { counters } from '../../contract/operational-store/harness.ts';

// Stands still in the middle of a transaction that has written every counter and every lease, until it is killed.
const [url = ''] = process.argv.slice(2);
const connection = await openMongo({ url, appName: 'registry' });
const { client, db } = connection;
const runTransaction = createRunTransaction({ client, clock, whileHeldUp: createWhileHeldUp(connection, clock) });
await runTransaction(
  async (session) => {
    for (const name of [opsCollectionName(counters.name), opsLeasesCollection]) {
      await db.collection(name).updateMany({}, { $set: { touched: true } }, { session });
    }
    process.stdout.write('open\n');
    await clock.sleep(600_000);
  },
  () => true,
);
