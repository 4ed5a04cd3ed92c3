import type { Db } from 'mongodb';
import { duplicateKey, hasCode } from './failures.ts';

interface Identity {
  readonly _id: 'only';
  readonly registryId: string;
}

/** Which event store these data belong to. Once set it stays: data of another store must never pass for ours. */
export const createStoredIdentity = (db: Db, collectionName: string, owner: string) => {
  const collection = db.collection<Identity>(collectionName);
  const get = async (): Promise<string | null> => (await collection.findOne({ _id: 'only' }))?.registryId ?? null;
  const set = async (registryId: string): Promise<void> => {
    try {
      await collection.insertOne({ _id: 'only', registryId });
    } catch (error) {
      if (!hasCode(error, duplicateKey)) throw error;
      const stored = await get();
      if (stored !== registryId) throw new Error(`${owner} belong to the registry ${stored}, not to ${registryId}`);
    }
  };
  return { get, set };
};
