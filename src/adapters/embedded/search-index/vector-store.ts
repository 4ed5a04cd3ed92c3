import { join } from 'node:path';
import type { VectorStore } from '../../../ports/search-index.ts';
import { createRenewedThread } from '../../threads/renewed-thread.ts';
import { searchFolder } from './file.ts';
import type { VectorStoreCalls, VectorStoreData } from './vector-store-thread.ts';

/** `search/vectors.sqlite`, read and written on a thread of its own; folders may share it between processes. */
export function createEmbeddedVectorStore(folder: string): VectorStore {
  const thread = createRenewedThread<VectorStoreCalls>({
    name: 'vector store',
    beside: import.meta.url,
    module: 'vector-store-thread',
    workerData: { file: join(searchFolder(folder), 'vectors.sqlite') } satisfies VectorStoreData,
  });
  return {
    get: (model, textHashes) => thread.call('get', { model, textHashes }),
    put: (model, vectors) => thread.call('put', { model, vectors }),
    hold: (held) => thread.call('hold', held),
    forget: (left) => thread.call('forget', left),
    close: () => thread.close(),
  };
}
