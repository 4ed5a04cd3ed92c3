import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { entitySections } from './entity-sections.ts';
import type { SearchInput } from './find-hits.ts';
import { lookupHint } from './lookup-hint.ts';

/** What is called like that: the sections beside the hits, which are of the first page only (contract 7.1). */
export const namedMatches = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue'>,
  { q, limit, offset }: Pick<SearchInput, 'q' | 'limit' | 'offset'>,
  { admin }: Pick<Asking, 'admin'>,
) => {
  await deps.catalogue.namesPlaced;
  const sections = offset > 0 ? { orgs: [], catalog: [], collections: [] } : entitySections(deps, { q, limit });
  return { sections, lookup: await lookupHint(deps, { q }, { admin }) };
};
