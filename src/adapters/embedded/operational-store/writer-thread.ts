import { realpathSync } from 'node:fs';
import { BroadcastChannel, workerData } from 'node:worker_threads';
import type { Lease } from '../../../ports/leases.ts';
import type { CollectionDeclaration, TransactionOutcome } from '../../../ports/operational-store.ts';
import { type BusCalls, createBusCalls } from '../message-bus/calls.ts';
import { busChannel } from '../message-bus/tables.ts';
import { createGroupCommit } from '../sqlite/group-commit.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { createCollectionTable, createOpsTables, declareCollection } from './tables.ts';
import { createOpsWriter, type EncodedTransaction } from './writer.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { createSqliteLeases } from '../sqlite/leases.ts';
import { createStoredIdentity } from '../sqlite/stored-identity.ts';

export interface OpsWriterData {
  readonly file: string;
}

/** Time comes with each call, from the clock of the caller. */
export type OpsWriterCalls = BusCalls & {
  readonly declare: (declaration: CollectionDeclaration) => void;
  readonly transact: (transaction: EncodedTransaction) => Promise<TransactionOutcome>;
  readonly removeExpired: (input: { limit: number; nowMs: number }) => Promise<number>;
  readonly acquire: (input: { name: string; holder: string; ttlMs: number; nowMs: number }) => Promise<Lease | null>;
  readonly renew: (input: { lease: Lease; ttlMs: number; nowMs: number }) => Promise<boolean>;
  readonly release: (lease: Lease) => Promise<void>;
  readonly setIdentity: (registryId: string) => void;
};

const bytesOf = ({ changes }: EncodedTransaction): number =>
  changes.reduce((sum, change) => sum + (change.kind === 'put' ? change.body.length : 0), 0);

await serveThread<OpsWriterCalls>(() => {
  const { file } = workerData as OpsWriterData;
  const db = openDatabase({ file, kind: 'ops', synchronous: 'FULL' });
  createOpsTables(db);
  const commits = createGroupCommit(db, () => {}); // only messages are followed, and told when they were produced
  const leases = createSqliteLeases(db);
  const identity = createStoredIdentity(db, 'These operational data');
  const writer = createOpsWriter(db, leases);
  const announcements = new BroadcastChannel(busChannel(realpathSync(file)));
  const onProduced = () => announcements.postMessage(null);
  return {
    calls: {
      ...createBusCalls(db, leases, commits, onProduced),
      declare: (declaration) => {
        const declared = declareCollection(declaration);
        createCollectionTable(db, declared);
        writer.declare(declaration.name, declared);
      },
      transact: (transaction) => {
        writer.requireDeclared(transaction);
        return commits.run(bytesOf(transaction), () => writer.transact(transaction));
      },
      removeExpired: ({ limit, nowMs }) => commits.run(0, () => writer.removeExpired(limit, nowMs)),
      acquire: ({ name, holder, ttlMs, nowMs }) => commits.run(0, () => leases.acquire(name, holder, ttlMs, nowMs)),
      renew: ({ lease, ttlMs, nowMs }) => commits.run(0, () => leases.renew(lease, ttlMs, nowMs)),
      release: (lease) => commits.run(0, () => leases.release(lease)),
      setIdentity: (registryId) => identity.set(registryId),
    },
    close: () => {
      announcements.close();
      db.close();
    },
  };
});
