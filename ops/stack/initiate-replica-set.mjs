// initiate-replica-set.mjs <host:port>: makes a mongod the only member of the replica set rs0, unless it is one already,
// and waits until it can be written to.
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

const host = process.argv[2];
const deadlineMs = performance.now() + 30_000;
const client = new MongoClient(`mongodb://${host}/?directConnection=true`, { serverSelectionTimeoutMS: 10_000 });
const admin = client.db('admin');

try {
  await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } }).catch((error) => {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  });
  while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
    if (performance.now() > deadlineMs) throw new Error(`${host} did not become primary within 30 s`);
    await sleep(25);
  }
} finally {
  await client.close();
}
