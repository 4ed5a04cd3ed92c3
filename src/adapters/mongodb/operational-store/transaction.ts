import type { AnyBulkWriteOperation, ClientSession, Collection, Db } from 'mongodb';
import type { Lease } from '../../../ports/leases.ts';
import type { TransactionOutcome } from '../../../ports/operational-store.ts';
import { heldFilter } from '../leases.ts';
import { type EncodedChange, liveRevision } from './changes.ts';
import { opsCollectionName, type StoredOpsDocument } from './declarations.ts';
import { opsLeasePlace, opsLeasesCollection } from './lease-place.ts';
import { createSingleChange } from './single-change.ts';
import type { RunTransaction } from '../transaction.ts';

interface Known {
  /** Whether a document of that id is stored, be it expired. */
  readonly isStored: boolean;
  /** 0 when there is none for readers. */
  revision: number;
  next: StoredOpsDocument | null | undefined;
}

/** What is stored of the documents that the changes name, as the server's clock has it. */
const loadKnown = async (
  documents: Collection<StoredOpsDocument>,
  ids: readonly string[],
  session: ClientSession,
): Promise<Map<string, Known>> => {
  const found = await documents
    .find({ _id: { $in: [...ids] } }, { session, projection: { revision: liveRevision }, batchSize: ids.length })
    .toArray();
  const stored = new Map(found.map((row) => [row._id, row.revision]));
  return new Map(ids.map((id) => [id, { isStored: stored.has(id), revision: stored.get(id) ?? 0, next: undefined }]));
};

const operationsOf = (known: ReadonlyMap<string, Known>): AnyBulkWriteOperation<StoredOpsDocument>[] =>
  [...known].flatMap(([_id, { isStored, next }]): AnyBulkWriteOperation<StoredOpsDocument>[] => {
    if (next === undefined) return [];
    if (next === null) return isStored ? [{ deleteOne: { filter: { _id } } }] : [];
    return [isStored ? { replaceOne: { filter: { _id }, replacement: next } } : { insertOne: { document: next } }];
  });

/** Applies the changes in order to what is known; false when one expects another revision. */
const applyAll = (changes: readonly EncodedChange[], known: ReadonlyMap<string, Known>): boolean =>
  changes.every(({ id, expected, stored }) => {
    const document = known.get(id)!;
    if (expected !== undefined && expected !== document.revision) return false;
    document.revision = stored === null ? 0 : document.revision + 1;
    document.next = stored === null ? null : { ...stored, revision: document.revision };
    return true;
  });

/** All changes or none. Who changes what another has changed since this transaction began meets it and tries again. */
export const createTransact = (db: Db, runTransaction: RunTransaction) => {
  const touchLease = async (lease: Lease, session: ClientSession): Promise<boolean> => {
    const filter = heldFilter(opsLeasePlace(lease.name), lease);
    // A write, so that a take-over at the same time conflicts with it; a read would not.
    const touched = await db.collection(opsLeasesCollection).updateOne(filter, { $inc: { writes: 1 } }, { session });
    return touched.matchedCount === 1;
  };

  return (changes: readonly EncodedChange[], lease: Lease | undefined): Promise<TransactionOutcome> => {
    const [only] = changes;
    if (only !== undefined && changes.length === 1 && lease === undefined) {
      return createSingleChange(db.collection(opsCollectionName(only.collection)))(only);
    }
    const names = [...new Set(changes.map(({ collection }) => collection))];
    const work = async (session: ClientSession): Promise<TransactionOutcome> => {
      if (lease !== undefined && !(await touchLease(lease, session))) return 'stale_lease';
      for (const name of names) {
        const own = changes.filter(({ collection }) => collection === name);
        const documents = db.collection<StoredOpsDocument>(opsCollectionName(name));
        const known = await loadKnown(documents, [...new Set(own.map(({ id }) => id))], session);
        if (!applyAll(own, known)) return 'revision_conflict';
        const operations = operationsOf(known);
        if (operations.length === 0) continue;
        await documents.bulkWrite(operations, { session, ordered: false });
      }
      return 'written';
    };
    return runTransaction(work, (outcome) => outcome === 'written');
  };
};
