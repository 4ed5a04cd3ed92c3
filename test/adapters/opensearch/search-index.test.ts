import { searchIndexContract } from '../../spec/search-index/search-index-contract.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { createOpenSearchBackends } from './opensearch-backends.ts';

describeOpenSearch((server) => searchIndexContract('OpenSearch', createOpenSearchBackends(server)));
