import type { Db } from 'mongodb';
import type { Document } from '../../../kernel/projection.ts';
import type {
  CollectionDeclaration,
  OperationalCollection,
  OperationalStore,
} from '../../../ports/operational-store.ts';
import { createWhileHeldUp } from '../abandoned-transactions.ts';
import type { DeclaredIndexes } from '../declared-indexes.ts';
import { guarded } from '../failures.ts';
import { checkedLimit } from '../../checked-indexes.ts';
import { encodeChange } from './changes.ts';
import { createOpsCollection } from './collection.ts';
import {
  declareCollection,
  declaredNames,
  ensureCollection,
  expiryIndex,
  opsCollectionName,
  type StoredOpsDocument,
} from './declarations.ts';
import { createOpsLeases } from './lease-place.ts';
import { createTransact } from './transaction.ts';
import type { MongoStoreOptions } from '../read-models/read-models.ts';
import { createStoredIdentity } from '../stored-identity.ts';
import { createRunTransaction } from '../transaction.ts';

interface Declared {
  readonly text: string;
  readonly declared: DeclaredIndexes;
  readonly made: Promise<void>;
}

const createRemoveExpired =
  (db: Db) =>
  async (limit: number): Promise<number> => {
    const { localTime } = await db.command({ hello: 1 });
    const expired = { expiresAt: { $lte: localTime as Date } };
    let left = checkedLimit(limit);
    for (const name of await declaredNames(db)) {
      if (left === 0) break;
      const documents = db.collection<StoredOpsDocument>(opsCollectionName(name));
      const options = {
        hint: expiryIndex.name,
        projection: { _id: 1 },
        sort: { expiresAt: 1 },
        limit: left,
        batchSize: left,
      } as const;
      const ids = (await documents.find(expired, options).toArray()).map(({ _id }) => _id);
      if (ids.length > 0) left -= (await documents.deleteMany({ _id: { $in: ids }, ...expired })).deletedCount;
    }
    return limit - left;
  };

export const createMongoOperationalStore = ({ connection, clock }: MongoStoreOptions): OperationalStore => {
  const { client, db } = connection;
  const identity = createStoredIdentity(db, 'ops.identity', 'These operational data');
  const whileHeldUp = createWhileHeldUp(connection, clock);
  const transact = createTransact(db, createRunTransaction({ client, clock, whileHeldUp }), whileHeldUp);
  const collections = new Map<string, Declared>();
  let closed = false;

  const requireOpen = (): void => {
    if (closed) throw new Error('The operational store is closed.');
  };

  const declare = (declaration: CollectionDeclaration): Declared => {
    const { name } = declaration;
    const declared = declareCollection(declaration);
    const made = ensureCollection(db, name, declared);
    const entry = { text: JSON.stringify(declaration), declared, made };
    collections.set(name, entry);
    // The server may be back when it is asked for the next time.
    made.catch(() => collections.delete(name));
    return entry;
  };

  const known = (name: string): DeclaredIndexes => {
    const entry = collections.get(name);
    if (!entry) throw new Error(`The collection ${name} has not been declared.`);
    return entry.declared;
  };

  const collection = async <Doc extends Document>(
    declaration: CollectionDeclaration,
  ): Promise<OperationalCollection<Doc>> => {
    const entry = collections.get(declaration.name) ?? declare(declaration);
    if (entry.text !== JSON.stringify(declaration)) {
      throw new Error(`The collection ${declaration.name} is declared in two ways.`);
    }
    await entry.made;
    const documents = db.collection<StoredOpsDocument>(opsCollectionName(declaration.name));
    return guarded(createOpsCollection<Doc>(documents, entry.declared), requireOpen);
  };

  return {
    ...guarded<Omit<OperationalStore, 'close' | 'leases'>>(
      {
        collection,
        transact: (changes, lease) =>
          transact(
            changes.map((change) => encodeChange(change, known(change.collection))),
            lease,
          ),
        removeExpired: createRemoveExpired(db),
        identity: identity.get,
        setIdentity: identity.set,
      },
      requireOpen,
    ),
    leases: guarded(createOpsLeases(db, whileHeldUp), requireOpen),
    close: async () => {
      closed = true;
    },
  };
};
