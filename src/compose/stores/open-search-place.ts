import type { BackendSettings } from '../../config/backend-settings.ts';

export type { IndexRow } from '../../adapters/opensearch/indices/indices.ts';

/** Where OpenSearch is, and what the names of its indexes begin with; null while the search index is embedded. */
export const openSearchPlaceOf = ({
  openSearchUrl,
  indexPrefix = 'registry',
}: BackendSettings): { readonly urls: readonly string[]; readonly prefix: string } | null =>
  openSearchUrl === undefined ? null : { urls: openSearchUrl.split(','), prefix: indexPrefix };

/** Its client is loaded only where it is used. */
export const loadOpenSearchIndices = () => import('../../adapters/opensearch/indices/indices.ts');
