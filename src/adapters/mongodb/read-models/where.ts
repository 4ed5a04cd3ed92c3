import type { ClientSession, Collection } from 'mongodb';
import type { Document, Equals, KeyValue } from '../../../kernel/projection.ts';
import { type DeclaredIndexes, keyPath, keyValueOf } from '../declared-indexes.ts';
import { indexRun } from '../index-run.ts';
import { type StoredRow, type Tombstone, tombstoneOperations, type WhereChange } from './rows.ts';
import { checkSize } from '../stored-document.ts';

/** Documents held in memory at once by a change over an index. */
const stepRows = 1_000;

/** Changes of all documents that an index names, in steps within the transaction of the caller. */
export const createWhereChanges = (
  documents: Collection<StoredRow>,
  deleted: Collection<Tombstone>,
  declared: DeclaredIndexes,
) => {
  // A change may move a row ahead of the keyset within its own index. It is met once more there and changed to the same
  // again: patches set constants.
  const eachStep = async (
    { index, equals }: { readonly index: string; readonly equals: Equals },
    session: ClientSession,
    work: (rows: readonly StoredRow[]) => Promise<void>,
  ): Promise<void> => {
    let after: KeyValue[] | undefined;
    for (;;) {
      const { rest, isEmpty, ...run } = indexRun(declared, { index, equals, ...(after && { after }) });
      if (isEmpty) return;
      const found = documents.find({}, { ...run, session, limit: stepRows, batchSize: stepRows });
      const rows = await found.toArray();
      await work(rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < stepRows) return;
      after = rest.map((field) => (field === 'id' ? last._id : keyValueOf(last.keys[field]!)));
    }
  };

  const patch = (change: Extract<WhereChange, { kind: 'patchWhere' }>, session: ClientSession): Promise<void> => {
    const { set, position } = change;
    const keys = Object.fromEntries(Object.entries(change.keys).map(([field, key]) => [keyPath(field), key]));
    return eachStep(change, session, async (rows) => {
      const operations = rows
        .filter((row) => row.position <= position)
        .map((row) => {
          const body = JSON.stringify({ ...(JSON.parse(row.body) as Document), ...set });
          checkSize({ ...row, body }, declared.owner);
          return { updateOne: { filter: { _id: row._id }, update: { $set: { body, position, ...keys } } } };
        });
      if (operations.length > 0) await documents.bulkWrite(operations, { session, ordered: false });
    });
  };

  const remove = (change: Extract<WhereChange, { kind: 'deleteWhere' }>, session: ClientSession): Promise<void> => {
    const { position } = change;
    return eachStep(change, session, async (rows) => {
      const gone = rows.filter((row) => row.position <= position).map(({ _id }) => ({ _id, position }));
      if (gone.length === 0) return;
      await documents.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } }, { session });
      await deleted.bulkWrite(tombstoneOperations(gone), { session, ordered: false });
    });
  };

  return (change: WhereChange, session: ClientSession): Promise<void> =>
    change.kind === 'patchWhere' ? patch(change, session) : remove(change, session);
};
