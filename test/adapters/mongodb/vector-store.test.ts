import { createMongoVectorStore } from '../../../src/adapters/mongodb/vector-store.ts';
import type { VectorStore } from '../../../src/ports/search-index.ts';
import { vectorStoreContract } from '../../spec/vector-store/vector-store-contract.ts';
import { describeMongo } from './describe-mongo.ts';
import { createMongoBackends } from './mongo-backends.ts';

describeMongo((server) => {
  vectorStoreContract('MongoDB', createMongoBackends<VectorStore>(server, createMongoVectorStore));
});
