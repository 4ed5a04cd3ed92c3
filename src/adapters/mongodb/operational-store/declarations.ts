import type { Collection, Db } from 'mongodb';
import type { Document } from '../../../kernel/projection.ts';
import type { CollectionDeclaration } from '../../../ports/operational-store.ts';
import { areBuilt, buildIndexes, builtIndexes, describeIndex, makeCollection } from '../build-indexes.ts';
import { type DeclaredIndexes, declareIndexes, indexName, keyPath, storedKeysOf } from '../declared-indexes.ts';
import { hasCode, indexNotFound } from '../failures.ts';
import type { StoredDocument } from '../stored-document.ts';

export interface StoredOpsDocument extends StoredDocument {
  readonly revision: number;
  /** Left out when it never expires. */
  readonly expiresAt?: Date;
  /** What the server has set when it applied the change. */
  readonly stamped?: Readonly<Record<string, number>>;
}

export const documentOf = <Doc extends Document>({
  body,
  stamped,
}: Pick<StoredOpsDocument, 'body' | 'stamped'>): Doc => ({
  ...(JSON.parse(body) as Doc),
  ...stamped,
});

/** What the documents of a collection were last stored with. */
interface StoredDeclaration {
  readonly _id: string;
  readonly fields: readonly string[];
}

/**
 * Expired documents are hidden at once and swept by the service. The server's own sweep is for the time when no service
 * runs; it comes later, so that the one does not count what the other has taken.
 */
const sweptAfterSeconds = 3_600;
export const expiryIndex = {
  name: 'expiry',
  key: { expiresAt: 1 },
  sparse: true,
  expireAfterSeconds: sweptAfterSeconds,
} as const;

const declarationsCollection = 'ops.collections';
const stepDocuments = 1_000;

export const opsCollectionName = (name: string): string => `ops.docs.${name}`;

export const declareCollection = ({ name, indexes }: CollectionDeclaration): DeclaredIndexes => {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`${name} cannot be the name of a collection`);
  return declareIndexes(`collection ${name}`, indexes);
};

/** Names of all collections that were ever declared, by this version or an earlier one. */
export const declaredNames = async (db: Db): Promise<string[]> => {
  const all = db.collection<StoredDeclaration>(declarationsCollection).find({}, { sort: { _id: 1 } });
  return (await all.toArray()).map(({ _id }) => _id);
};

/** The keys of documents that were stored before these fields were declared, or by a version that knew others. */
const fillKeys = async (documents: Collection<StoredOpsDocument>, declared: DeclaredIndexes): Promise<void> => {
  const unset = declared.fields.map((field) => ({ [keyPath(field)]: { $exists: false } }));
  for (;;) {
    const rows = await documents.find({ $or: unset }, { limit: stepDocuments, batchSize: stepDocuments }).toArray();
    const operations = rows.map((row) => ({
      updateOne: {
        filter: { _id: row._id, revision: row.revision },
        update: { $set: { keys: storedKeysOf(declared, documentOf(row)) } },
      },
    }));
    if (operations.length > 0) await documents.bulkWrite(operations, { ordered: false });
    if (rows.length < stepDocuments) return;
  }
};

/** Of several that start at once, each wants to take it away. */
const dropIndex = async (documents: Collection<StoredOpsDocument>, name: string): Promise<void> => {
  try {
    await documents.dropIndex(name);
  } catch (error) {
    if (!hasCode(error, indexNotFound)) throw error;
  }
};

/**
 * Makes the collection as declared. Unlike read models these documents are never rebuilt, so an index that a new
 * version declares is filled from what is stored, and what it no longer declares is taken away, not left to grow stale.
 */
export const ensureCollection = async (db: Db, name: string, declared: DeclaredIndexes): Promise<void> => {
  const documents = db.collection<StoredOpsDocument>(opsCollectionName(name));
  const declarations = db.collection<StoredDeclaration>(declarationsCollection);
  const wanted = Object.values(declared.indexes);
  const fields = [...declared.fields].sort();
  const stored = await declarations.findOne({ _id: name });
  const built = await builtIndexes(db, documents.collectionName);
  if (stored === null) await makeCollection(db, documents.collectionName);
  else if (fields.some((field) => !stored.fields.includes(field))) await fillKeys(documents, declared);
  const indexes = [...wanted.map(describeIndex), expiryIndex];
  // Who only looks waits for no majority.
  if (!areBuilt(built, indexes)) await buildIndexes(documents, indexes, declared.owner);
  const kept = ['_id_', expiryIndex.name, ...wanted.map(indexName)];
  for (const index of built ?? []) if (!kept.includes(index.name)) await dropIndex(documents, index.name);
  if (JSON.stringify(stored?.fields) !== JSON.stringify(fields)) {
    await declarations.updateOne({ _id: name }, { $set: { fields } }, { upsert: true });
  }
};
