import type { AnyBulkWriteOperation, ClientSession, Collection, Db } from 'mongodb';
import type { Document } from '../../../kernel/projection.ts';
import type { ReadModelWrite, WriteOutcome } from '../../../ports/read-models.ts';
import { isTooLarge } from '../failures.ts';
import { findRowsWithin, type FoundRows, type RowsToFind } from './find-rows.ts';
import { createWhereChanges } from './where.ts';
import { type EncodedChange, encodeChange, type StoredRow, type Tombstone, tombstoneOperations } from './rows.ts';
import type { OpenGeneration } from './generations.ts';
import type { RunTransaction } from '../transaction.ts';

type RowChange = Extract<EncodedChange, { kind: 'put' | 'delete' }>;

/** What is left to do for one document after all changes of a step. */
interface Outcome {
  readonly isStored: boolean;
  /** Of what is stored, or of the last change; undefined while there is no document. */
  position: number | undefined;
  next: StoredRow | Tombstone | undefined;
}

const isRow = (next: StoredRow | Tombstone): next is StoredRow => 'body' in next;

/** An older change loses; of a document that is not there nothing is deleted. */
const applied = (outcome: Outcome, change: RowChange): void => {
  const { position } = outcome;
  if (position !== undefined && position > change.position) return;
  if (change.kind === 'put') {
    outcome.next = change.row;
    outcome.position = change.position;
  } else if (position !== undefined) {
    outcome.next = { _id: change.id, position: change.position };
    outcome.position = undefined;
  }
};

const idOf = (change: RowChange): string => (change.kind === 'put' ? change.row._id : change.id);
const idsOf = (changes: readonly RowChange[]): string[] => [...new Set(changes.map(idOf))];
const isRowChange = (change: EncodedChange): change is RowChange => change.kind === 'put' || change.kind === 'delete';

const rowOperations = (outcomes: readonly Outcome[]): AnyBulkWriteOperation<StoredRow>[] =>
  outcomes.flatMap(({ isStored, next }): AnyBulkWriteOperation<StoredRow>[] => {
    if (next === undefined) return [];
    if (!isRow(next)) return isStored ? [{ deleteOne: { filter: { _id: next._id } } }] : [];
    if (!isStored) return [{ insertOne: { document: next } }];
    return [{ replaceOne: { filter: { _id: next._id }, replacement: next } }];
  });

/** Puts and deletes that stand together, in one command or two however many they are. */
const createWriteRows =
  (documents: Collection<StoredRow>, deleted: Collection<Tombstone>) =>
  async (
    changes: readonly RowChange[],
    { positions, tombstones }: FoundRows,
    session: ClientSession,
  ): Promise<void> => {
    const outcomes = new Map(
      idsOf(changes).map((id): [string, Outcome] => {
        const position = positions.get(id);
        return [id, { isStored: position !== undefined, position, next: undefined }];
      }),
    );
    for (const change of changes) applied(outcomes.get(idOf(change))!, change);

    const options = { session, ordered: false };
    const operations = rowOperations([...outcomes.values()]);
    if (operations.length > 0) await documents.bulkWrite(operations, options);
    const back = [...outcomes.values()].flatMap(({ next }) =>
      next !== undefined && isRow(next) && tombstones.has(next._id) ? [next._id] : [],
    );
    if (back.length > 0) await deleted.deleteMany({ _id: { $in: back } }, { session });
    const gone = [...outcomes.values()].flatMap(({ next }) => (next === undefined || isRow(next) ? [] : [next]));
    if (gone.length > 0) await deleted.bulkWrite(tombstoneOperations(gone), options);
  };

export interface ReadModelWriterDeps {
  readonly db: Db;
  readonly generation: OpenGeneration;
  readonly runTransaction: RunTransaction;
  /** Moves the checkpoint, which is the first write of each transaction: take-overs and drops conflict with it. */
  readonly moveCheckpoint: (
    write: Pick<ReadModelWrite<Document>, 'lease' | 'position'>,
    session?: ClientSession,
  ) => Promise<WriteOutcome>;
}

export interface ReadModelWriter {
  /** Documents, checkpoint and lease check in one transaction. */
  readonly write: (write: ReadModelWrite<Document>) => Promise<WriteOutcome>;
  /** Only the documents, for the transaction of whoever moves the checkpoint. */
  readonly prepare: (changes: ReadModelWrite<Document>['changes']) => PreparedChanges;
}

/** Changes that are still to be applied. */
export interface PreparedChanges {
  /** What is to be looked for before the first of them. */
  readonly rows: RowsToFind;
  readonly apply: (found: FoundRows, session: ClientSession) => Promise<void>;
}

export const createReadModelWriter = ({
  db,
  generation,
  runTransaction,
  moveCheckpoint,
}: ReadModelWriterDeps): ReadModelWriter => {
  const documents = db.collection<StoredRow>(generation.documents);
  const deleted = db.collection<Tombstone>(generation.deleted);
  const writeRows = createWriteRows(documents, deleted);
  const where = createWhereChanges(documents, deleted, generation.declared);

  const findAndWrite = async (changes: readonly RowChange[], session: ClientSession): Promise<void> => {
    if (changes.length === 0) return;
    await writeRows(changes, await findRowsWithin(documents, idsOf(changes), session), session);
  };

  const applyAll = async (changes: readonly EncodedChange[], session: ClientSession): Promise<void> => {
    let together: RowChange[] = [];
    for (const change of changes) {
      if (isRowChange(change)) {
        together.push(change);
        continue;
      }
      // It goes by an index, which must know of what came before.
      await findAndWrite(together, session);
      together = [];
      await where(change, session);
    }
    await findAndWrite(together, session);
  };

  const encodeAll = (changes: ReadModelWrite<Document>['changes']): EncodedChange[] =>
    changes.map((change) => encodeChange(generation.declared, change));

  const prepare: ReadModelWriter['prepare'] = (changes) => {
    const encoded = encodeAll(changes);
    const byIndex = encoded.findIndex((change) => !isRowChange(change));
    const first = (byIndex < 0 ? encoded : encoded.slice(0, byIndex)).filter(isRowChange);
    return {
      rows: { generation, ids: idsOf(first) },
      apply: async (found, session) => {
        if (first.length > 0) await writeRows(first, found, session);
        await applyAll(encoded.slice(first.length), session);
      },
    };
  };

  const write: ReadModelWriter['write'] = async ({ changes, position, lease }) => {
    const encoded = encodeAll(changes);
    // One document changes as a whole, so the checkpoint alone needs no transaction.
    if (encoded.length === 0) return moveCheckpoint({ lease, position });
    const work = async (session: ClientSession): Promise<WriteOutcome> => {
      const outcome = await moveCheckpoint({ lease, position }, session);
      if (outcome === 'written') await applyAll(encoded, session);
      return outcome;
    };
    try {
      return await runTransaction(work, (outcome) => outcome === 'written');
    } catch (error) {
      if (isTooLarge(error)) return 'too_large';
      throw error;
    }
  };
  return { write, prepare };
};
