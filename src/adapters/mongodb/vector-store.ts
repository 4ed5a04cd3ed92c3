import { type AnyBulkWriteOperation, Binary } from 'mongodb';
import type { LeftTexts, VectorStore } from '../../ports/search-index.ts';
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

interface StoredHold {
  /** Holder and text hash. */
  readonly _id: string;
  readonly holder: string;
  readonly textHash: string;
}

const collectionName = 'search.vectors';
const holdsName = 'search.heldTexts';
const textHashIndex = { name: 'textHash', key: { textHash: 1 } } as const;
const holderIndex = { name: 'holder', key: { holder: 1 } } as const;

/** By which a model cannot pass for another: names of models hold no line breaks. */
const idOf = (model: string, textHash: string): string => `${model}\n${textHash}`;
const holdOf = (holder: string, textHash: string): StoredHold => ({ _id: `${holder}\n${textHash}`, holder, textHash });

/** Two collections; the connection stays open when the store is closed: others may use it. */
export async function createMongoVectorStore({ db }: MongoConnection): Promise<VectorStore> {
  const collection = db.collection<StoredVector>(collectionName);
  const holds = db.collection<StoredHold>(holdsName);
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

  const saveHolds = async (held: readonly StoredHold[]): Promise<void> => {
    const additions: AnyBulkWriteOperation<StoredHold>[] = held.map(({ _id, ...inserted }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: inserted }, upsert: true },
    }));
    await holds.bulkWrite(additions, { ordered: false });
  };

  /** Another made the same one at the same moment: it is there now, and is replaced. */
  const twiceIfTaken = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      if (!hasCode(error, duplicateKey)) throw error;
      await write();
    }
  };

  /** What these held and do not any more. */
  const leftBy = async (left: readonly LeftTexts[]): Promise<StoredHold[]> => {
    const presentOf = new Map(
      left.flatMap(({ holder, textHashes }) => (textHashes === null ? [] : [[holder, new Set(textHashes)] as const])),
    );
    const gone = left.flatMap(({ holder, formerHashes, textHashes }) => {
      const present = new Set(textHashes);
      return formerHashes.filter((hash) => !present.has(hash)).map((hash) => holdOf(holder, hash));
    });
    if (presentOf.size === 0) return gone;
    for await (const hold of holds.find({ holder: { $in: [...presentOf.keys()] } })) {
      if (!presentOf.get(hold.holder)!.has(hold.textHash)) gone.push(hold);
    }
    return gone;
  };

  const removeUnheld = async (textHashes: readonly string[], leaving: readonly string[]): Promise<void> => {
    const inUse = await holds.distinct('textHash', { textHash: { $in: [...textHashes] }, _id: { $nin: [...leaving] } });
    const stay = new Set(inUse);
    const unheld = textHashes.filter((textHash) => !stay.has(textHash));
    if (unheld.length > 0) await collection.deleteMany({ textHash: { $in: unheld } });
  };

  const calls = guarded<Omit<VectorStore, 'close'> & { readonly prepare: () => Promise<void> }>(
    {
      prepare: async () => {
        await buildIndexes(collection, [textHashIndex], 'the vectors of texts');
        await buildIndexes(holds, [holderIndex, textHashIndex], 'the texts that something is made of');
      },
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
        await twiceIfTaken(() => save(rows));
      },
      hold: async (held) => {
        const rows = held.flatMap(({ holder, textHashes }) => textHashes.map((textHash) => holdOf(holder, textHash)));
        if (rows.length > 0) await twiceIfTaken(() => saveHolds(rows));
      },
      forget: async (left) => {
        const gone = await leftBy(left);
        if (gone.length === 0) return;
        const ids = gone.map(({ _id }) => _id);
        const textHashes = [...new Set(gone.map(({ textHash }) => textHash))];
        // The vectors first: whoever is killed in between finds again what was to be forgotten.
        await removeUnheld(textHashes, ids);
        await holds.deleteMany({ _id: { $in: ids } });
        await removeUnheld(textHashes, []); // of what two left at the same moment, each for the other
      },
    },
    requireOpen,
  );
  await calls.prepare();
  return {
    get: calls.get,
    put: calls.put,
    hold: calls.hold,
    forget: calls.forget,
    close: async () => {
      closed = true;
    },
  };
}
