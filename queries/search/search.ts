import { isIndexAway } from '../../src/search/index-outage.ts';
import type { Asking } from '../shape/query-deps.ts';
import { entitySectionsReads } from './entity-sections.ts';
import {
  findHits,
  type FoundHits,
  type HitsAsking,
  type SearchDeps,
  type SearchInput,
  searchReads,
} from './find-hits.ts';
import { lookupHintReads } from './lookup-hint.ts';
import { namedMatches } from './named-matches.ts';
import type { DegradedReason } from './query-meaning.ts';

export const searchAllReads = [...new Set([...searchReads, ...entitySectionsReads, ...lookupHintReads])];

/** What hybrid and semantic answers say of themselves. */
interface ToldMode extends Partial<Pick<SearchInput, 'mode'>> {
  readonly degraded?: boolean;
  readonly degradedReason?: DegradedReason;
}

const modeOf = ({ mode }: SearchInput, { degradedReason }: FoundHits): ToldMode =>
  mode === 'lexical'
    ? {}
    : { mode, degraded: degradedReason !== null, ...(degradedReason !== null && { degradedReason }) };

/**
 * While nothing of the index can be asked, the names live on, and the answer says that it is degraded. Where it cannot say so,
 * which is by words alone, or has no names, which is behind the first page, nothing would be told from what was not found.
 */
const hitsOrNamesAlone = async (deps: SearchDeps, input: SearchInput, asking: HitsAsking): Promise<FoundHits> => {
  try {
    return await findHits(deps, input, asking);
  } catch (error) {
    if (!isIndexAway(error) || input.mode === 'lexical' || input.offset > 0) throw error;
    return { releases: [], chunks: [], degradedReason: 'vector_index_unavailable' };
  }
};

/** Orgs, products, sources and collections by their names, and releases and pieces of changelogs by what they say (contract 7.1). */
export async function search(deps: SearchDeps, input: SearchInput, asking: Asking) {
  const { q, mode, limit, offset } = input;
  const isLexical = mode === 'lexical';
  const kinds = isLexical ? (['release'] as const) : (['release', 'chunk'] as const);
  const found = await hitsOrNamesAlone(deps, input, { ...asking, kinds });
  const { lookup, sections } = await namedMatches(deps, { q, limit, offset }, asking);
  const { releases, chunks } = found;
  const hitCap =
    releases.length + chunks.length >= limit || Object.values(sections).some((section) => section.length >= limit);
  return {
    query: q,
    ...sections,
    releases,
    ...(!isLexical && { chunks }),
    ...modeOf(input, found),
    ...(lookup !== null && { lookup }),
    _meta: { search: { limit, offset, hitCap } },
  };
}

/** Releases alone (contract 7.3). */
export async function searchReleases(deps: SearchDeps, input: SearchInput, asking: Asking) {
  const { q, limit, offset } = input;
  const found = await findHits(deps, input, { ...asking, kinds: ['release'] });
  const { releases } = found;
  return {
    query: q,
    releases,
    ...modeOf(input, found),
    _meta: { search: { limit, offset, hitCap: releases.length >= limit } },
  };
}
