import type { AnyBulkWriteOperation, ClientSession, Collection, Db } from 'mongodb';
import type { Lease } from '../../../ports/leases.ts';
import type { TransactionOutcome } from '../../../ports/operational-store.ts';
import { heldFilter } from '../leases.ts';
import type { WhileHeldUp } from '../abandoned-transactions.ts';
import { duplicateKey, hasCode } from '../failures.ts';
import { inOneAnswer } from '../one-answer.ts';
import { type EncodedChange, liveRevision, stampedFields } from './changes.ts';
import { opsCollectionName, type StoredOpsDocument } from './declarations.ts';
import { opsLeasePlace, opsLeasesCollection } from './lease-place.ts';
import { unexpired } from './collection.ts';
import { createSingleChange, type StoredChange } from './single-change.ts';
import type { RunTransaction } from '../transaction.ts';

interface Known {
  /** Of what is stored, be it expired; null when nothing is. */
  readonly storedRevision: number | null;
  /** 0 when there is none for readers. */
  revision: number;
  /** The last change of it. */
  next: EncodedChange | undefined;
}

/** What was read before the transaction is no longer so: it is read and decided anew. */
type WriteOutcome = TransactionOutcome | 'moved';

/** What is stored of the documents that the changes name, as the server's clock has it. */
const loadKnown = async (
  documents: Collection<StoredOpsDocument>,
  ids: readonly string[],
): Promise<Map<string, Known>> => {
  const found = await documents
    .find<{ _id: string; revision: number; live: number }>(
      { _id: { $in: [...ids] } },
      // The transaction shows whether it was true.
      { projection: { revision: 1, live: liveRevision }, ...inOneAnswer(ids.length), readConcern: { level: 'local' } },
    )
    .toArray();
  const stored = new Map(found.map((row) => [row._id, row]));
  return new Map(
    ids.map((id): [string, Known] => {
      const row = stored.get(id);
      return [id, { storedRevision: row?.revision ?? null, revision: row?.live ?? 0, next: undefined }];
    }),
  );
};

type Operation = AnyBulkWriteOperation<StoredOpsDocument>;

const putOperation = (known: Known, stored: StoredChange, stampsMs: EncodedChange['stampsMs']): Operation => {
  const { storedRevision, revision } = known;
  const filter = { _id: stored._id, revision: storedRevision ?? { $exists: false } };
  const upsert = storedRevision === null;
  if (Object.keys(stampsMs).length > 0) {
    const fields = { revision, ...stampedFields(stored.keys, stampsMs) };
    return {
      updateOne: { filter, update: [{ $replaceWith: { $mergeObjects: [{ $literal: stored }, fields] } }], upsert },
    };
  }
  const replacement = { ...stored, revision };
  return upsert ? { insertOne: { document: replacement } } : { replaceOne: { filter, replacement } };
};

/** Each finds its document only as it was read. */
const operationsOf = (known: ReadonlyMap<string, Known>): Operation[] =>
  [...known].flatMap(([_id, document]): Operation[] => {
    const { storedRevision, next } = document;
    if (next === undefined) return [];
    if (next.stored !== null) return [putOperation(document, next.stored, next.stampsMs)];
    return storedRevision === null ? [] : [{ deleteOne: { filter: { _id, revision: storedRevision } } }];
  });

/** Applies the changes in order to what is known; false when one expects another revision. */
const applyAll = (changes: readonly EncodedChange[], known: ReadonlyMap<string, Known>): boolean =>
  changes.every((change) => {
    const document = known.get(change.id)!;
    if (change.expected !== undefined && change.expected !== document.revision) return false;
    document.revision = change.stored === null ? 0 : document.revision + 1;
    document.next = change;
    return true;
  });

/**
 * A change that needs no look at what is stored: the server counts its revision up, and finds the document only as it is
 * expected. Null where it matters whether one is there.
 */
const unseenOperation = ({ id: _id, expected, stored, stampsMs }: EncodedChange): Operation | null => {
  if (stored === null || expected === 0) return null;
  const isStamped = Object.keys(stampsMs).length > 0;
  const fields = { revision: { $add: [liveRevision, 1] }, ...(isStamped && stampedFields(stored.keys, stampsMs)) };
  const update = [{ $replaceWith: { $mergeObjects: [{ $literal: stored }, fields] } }];
  if (expected === undefined) return { updateOne: { filter: { _id }, update, upsert: true } };
  return { updateOne: { filter: { $and: [{ _id, revision: expected }, unexpired] }, update } };
};

/** Of more, a look costs little for each, and the server inserts and replaces faster than it finds out what was there. */
const unseenMax = 8;

interface Step {
  readonly documents: Collection<StoredOpsDocument>;
  readonly operations: readonly Operation[];
}

/** False when a document is not as it was read. */
const takeStep = async ({ documents, operations }: Step, session: ClientSession): Promise<boolean> => {
  try {
    const written = await documents.bulkWrite([...operations], { session, ordered: false });
    const { insertedCount, matchedCount, upsertedCount, deletedCount } = written;
    return insertedCount + matchedCount + upsertedCount + deletedCount === operations.length;
  } catch (error) {
    if (hasCode(error, duplicateKey)) return false;
    throw error;
  }
};

/**
 * All changes or none. What can be read and decided is, before the transaction begins: it holds what it writes, and if
 * this process dies the others wait for it. Who changes what another has changed meanwhile decides anew.
 */
export const createTransact = (db: Db, runTransaction: RunTransaction, whileHeldUp: WhileHeldUp) => {
  const touchLease = async (lease: Lease, session: ClientSession): Promise<boolean> => {
    const filter = heldFilter(opsLeasePlace(lease.name), lease);
    // A write, so that a take-over at the same time conflicts with it; a read would not.
    const touched = await db.collection(opsLeasesCollection).updateOne(filter, { $inc: { writes: 1 } }, { session });
    return touched.matchedCount === 1;
  };

  /** Null when a change expects another revision. */
  const prepare = async (changes: readonly EncodedChange[]): Promise<Step[] | null> => {
    const names = [...new Set(changes.map(({ collection }) => collection))];
    const prepared = names.map(async (name): Promise<Step | null> => {
      const own = changes.filter(({ collection }) => collection === name);
      const documents = db.collection<StoredOpsDocument>(opsCollectionName(name));
      const known = await loadKnown(documents, [...new Set(own.map(({ id }) => id))]);
      return applyAll(own, known) ? { documents, operations: operationsOf(known) } : null;
    });
    const steps = (await Promise.all(prepared)).filter((step) => step !== null);
    return steps.length === names.length ? steps.filter(({ operations }) => operations.length > 0) : null;
  };

  /** The same without a look; null where one is needed, or pays, or a document changes more than once. */
  const prepareUnseen = (changes: readonly EncodedChange[]): Step[] | null => {
    if (changes.length > unseenMax) return null;
    const byCollection = new Map<string, Map<string, Operation>>();
    for (const change of changes) {
      const operation = unseenOperation(change);
      const operations = byCollection.get(change.collection) ?? new Map<string, Operation>();
      if (operation === null || operations.has(change.id)) return null;
      byCollection.set(change.collection, operations.set(change.id, operation));
    }
    return [...byCollection].map(([name, operations]) => ({
      documents: db.collection<StoredOpsDocument>(opsCollectionName(name)),
      operations: [...operations.values()],
    }));
  };

  return async (changes: readonly EncodedChange[], lease: Lease | undefined): Promise<TransactionOutcome> => {
    const [only] = changes;
    const isStamped = changes.some(({ stampsMs }) => Object.keys(stampsMs).length > 0);
    // A write outside of a transaction may wait on the server, whose clock for it stands still meanwhile.
    if (only !== undefined && changes.length === 1 && lease === undefined && !isStamped) {
      return whileHeldUp(() => createSingleChange(db.collection(opsCollectionName(only.collection)))(only));
    }
    let unseen = prepareUnseen(changes);
    const work = async (session: ClientSession): Promise<WriteOutcome> => {
      const steps = unseen ?? (await prepare(changes));
      if (lease !== undefined && !(await touchLease(lease, session))) return 'stale_lease';
      if (steps === null) return 'revision_conflict';
      for (const step of steps) if (!(await takeStep(step, session))) return 'moved';
      return 'written';
    };
    for (;;) {
      const outcome = await runTransaction(work, (result) => result === 'written');
      if (outcome !== 'moved') return outcome;
      unseen = null; // what is not as it was expected has to be looked at
    }
  };
};
