import { type AnyBulkWriteOperation, Binary } from 'mongodb';
import type { VectorStore } from '../../ports/search-index.ts';
import { packVectors, scaleBytes, unpackVectors } from '../vector-form.ts';
import { buildIndexes } from './build-indexes.ts';
import type { MongoConnection } from './connection.ts';
import { duplicateKey, guarded, hasCode } from './failures.ts';

interface StoredVector {
  /** Model and text hash. */
  readonly _id: string;
  readonly textHash: string;
  readonly vector: Binary;
}

const collectionName = 'search.vectors';
const textHashIndex = { name: 'textHash', key: { textHash: 1 } } as const;

/** By which a model cannot pass for another: names of models hold no line breaks. */
const idOf = (model: string, textHash: string): string => `${model}\n${textHash}`;

/** One collection; the connection stays open when the store is closed: others may use it. */
export async function createMongoVectorStore({ db }: MongoConnection): Promise<VectorStore> {
  const collection = db.collection<StoredVector>(collectionName);
  let closed = false;
  const requireOpen = (): void => {
    if (closed) throw new Error('The store of vectors is closed.');
  };

  const save = async (vectors: readonly StoredVector[]): Promise<void> => {
    const replacements: AnyBulkWriteOperation<StoredVector>[] = vectors.map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    }));
    await collection.bulkWrite(replacements, { ordered: false });
  };

  const calls = guarded<Omit<VectorStore, 'close'> & { readonly prepare: () => Promise<void> }>(
    {
      prepare: () => buildIndexes(collection, [textHashIndex], 'the vectors of texts'),
      get: async (model, textHashes) => {
        const known = new Map<string, Float32Array>();
        if (textHashes.length === 0) return known;
        const ids = textHashes.map((textHash) => idOf(model, textHash));
        const found = new Map<string, StoredVector>();
        for await (const stored of collection.find({ _id: { $in: ids } })) found.set(stored.textHash, stored);
        for (const textHash of textHashes) {
          const stored = found.get(textHash);
          if (stored === undefined) continue;
          const packed = Buffer.from(stored.vector.value());
          known.set(textHash, unpackVectors(packed, packed.length - scaleBytes)[0]!);
        }
        return known;
      },
      put: async (model, vectors) => {
        if (vectors.length === 0) return;
        const rows = vectors.map(({ textHash, vector }) => ({
          _id: idOf(model, textHash),
          textHash,
          vector: new Binary(packVectors([vector])),
        }));
        try {
          await save(rows);
        } catch (error) {
          // Another made the same one at the same moment: it is there now, and is replaced.
          if (!hasCode(error, duplicateKey)) throw error;
          await save(rows);
        }
      },
      forget: async (textHashes) => {
        if (textHashes.length > 0) await collection.deleteMany({ textHash: { $in: [...textHashes] } });
      },
    },
    requireOpen,
  );
  await calls.prepare();
  return {
    get: calls.get,
    put: calls.put,
    forget: calls.forget,
    close: async () => {
      closed = true;
    },
  };
}
