import { createEmbeddedVectorStore } from '../../../../src/adapters/embedded/search-index/vector-store.ts';
import type { VectorStore } from '../../../../src/ports/search-index.ts';
import { vectorStoreContract } from '../../../spec/vector-store/vector-store-contract.ts';
import { createEmbeddedBackends } from '../embedded-backends.ts';

vectorStoreContract(
  'embedded',
  createEmbeddedBackends<VectorStore>(async (folder) => createEmbeddedVectorStore(folder)),
);
