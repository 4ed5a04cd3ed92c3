import { createEmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import type { SearchIndexes } from '../../../../src/ports/search-index.ts';
import { searchIndexContract } from '../../../spec/search-index/search-index-contract.ts';
import { createEmbeddedBackends } from '../embedded-backends.ts';

searchIndexContract(
  'embedded',
  createEmbeddedBackends<SearchIndexes>((folder, clock) => createEmbeddedSearchIndexes({ folder, clock })),
);
