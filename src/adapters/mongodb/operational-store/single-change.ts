import type { Collection } from 'mongodb';
import type { TransactionOutcome } from '../../../ports/operational-store.ts';
import { duplicateKey, hasCode, heldUpMsMax } from '../failures.ts';
import { type EncodedChange, liveRevision } from './changes.ts';
import { unexpired } from './collection.ts';
import type { StoredOpsDocument } from './declarations.ts';

export type StoredChange = NonNullable<EncodedChange['stored']>;

const bounded = { maxTimeMS: heldUpMsMax };

const outcomeOf = (isWritten: boolean): TransactionOutcome => (isWritten ? 'written' : 'revision_conflict');

/**
 * One change alone needs no transaction: the server changes one document as a whole. That is one way there and back
 * instead of three, and writers of the same document wait for each other instead of trying again.
 */
export const createSingleChange = (documents: Collection<StoredOpsDocument>) => {
  const replacement = (stored: StoredChange) => [
    { $replaceWith: { $mergeObjects: [{ $literal: stored }, { revision: { $add: [liveRevision, 1] } }] } },
  ];
  const replace = async (stored: StoredChange, filter: object): Promise<boolean> => {
    const found = { $and: [{ _id: stored._id }, filter] };
    return (await documents.updateOne(found, replacement(stored), bounded)).matchedCount === 1;
  };

  /** False when a document of that id is stored. */
  const unlessStored = async (write: () => Promise<unknown>): Promise<boolean> => {
    try {
      await write();
      return true;
    } catch (error) {
      if (!hasCode(error, duplicateKey)) throw error;
      return false;
    }
  };
  const insert = (stored: StoredChange) => unlessStored(() => documents.insertOne({ ...stored, revision: 1 }, bounded));
  const upsert = (stored: StoredChange) =>
    unlessStored(() => documents.updateOne({ _id: stored._id }, replacement(stored), { ...bounded, upsert: true }));

  const put = async (stored: StoredChange, expected: number | undefined): Promise<TransactionOutcome> => {
    if (expected === 0) return outcomeOf((await insert(stored)) || (await replace(stored, { $nor: [unexpired] })));
    if (expected !== undefined) return outcomeOf(await replace(stored, { $and: [{ revision: expected }, unexpired] }));
    for (;;) {
      if (await upsert(stored)) return 'written'; // else another made it at the same moment, and is now replaced
    }
  };

  const remove = async (id: string, expected: number | undefined): Promise<TransactionOutcome> => {
    if (expected === undefined) {
      await documents.deleteOne({ _id: id }, bounded);
      return 'written';
    }
    if (expected === 0) return outcomeOf((await documents.findOne({ $and: [{ _id: id }, unexpired] })) === null);
    const filter = { $and: [{ _id: id, revision: expected }, unexpired] };
    return outcomeOf((await documents.deleteOne(filter, bounded)).deletedCount === 1);
  };

  return ({ id, expected, stored }: EncodedChange): Promise<TransactionOutcome> =>
    stored === null ? remove(id, expected) : put(stored, expected);
};
