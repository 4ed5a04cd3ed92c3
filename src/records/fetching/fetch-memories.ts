import type { FetchMemory } from '../../ingest/source-fetcher.ts';
import type { Document } from '../../kernel/projection.ts';
import type { OperationalPut, OperationalStore } from '../../ports/operational-store.ts';

interface StoredMemory extends Document {
  readonly memory: FetchMemory;
}

/** What the last fetch of each source left for its next one. */
export interface FetchMemories {
  /** Null of a source that was never fetched to its end. */
  readonly recall: (sourceId: string) => Promise<FetchMemory | null>;
}

export const fetchMemoriesDeclaration = { name: 'fetch-memories', indexes: {} };

export const memoryChange = (sourceId: string, memory: FetchMemory): OperationalPut => {
  const doc: StoredMemory = { id: sourceId, memory };
  return { kind: 'put', collection: fetchMemoriesDeclaration.name, doc };
};

export async function openFetchMemories(ops: OperationalStore): Promise<FetchMemories> {
  const memories = await ops.collection<StoredMemory>(fetchMemoriesDeclaration);
  return { recall: async (sourceId) => (await memories.get(sourceId))?.doc.memory ?? null };
}
