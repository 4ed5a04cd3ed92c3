import { bodiesProjection } from '../../projections/bodies/bodies.ts';
import { changelogFilesProjection } from '../../projections/changelog-files/changelog-files.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import type { SearchFilter, SearchIndex, SearchKind } from '../../src/ports/search-index.ts';
import type { QueryEmbedder } from '../../src/search/search-reading.ts';
import { typedTokens } from '../../src/search/words/typed-tokens.ts';
import { windowOf } from '../feed/feed-scope.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { type ChunkHit, chunkHits } from './chunk-hits.ts';
import { type HitPage, hitPage } from './hit-page.ts';
import { type DegradedReason, queryMeaning, type QueryMeaning } from './query-meaning.ts';
import type { SearchMode } from './ranked-lists.ts';
import { type ReleaseHit, releaseHits } from './release-hits.ts';
import { type ScopeFilters, type SearchScope, searchScope } from './search-scope.ts';

/** What ranks hits. */
export interface RankDeps extends Pick<QueryDeps, 'models' | 'catalogue'> {
  /** Called once, so that it is one generation for the whole request; null before the first one was made. */
  readonly openIndex: () => Promise<SearchIndex | null>;
  readonly embedder: QueryEmbedder | null;
}

export type SearchDeps = RankDeps & Pick<QueryDeps, 'webBaseUrl'>;

export interface SearchInput extends ScopeFilters {
  /** Trimmed, and not empty. */
  readonly q: string;
  readonly mode: SearchMode;
  readonly offset: number;
  readonly limit: number;
  /** Of releases. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly includeCoverage: boolean;
}

export const searchReads = [...catalogueReads, releaseFeedProjection, bodiesProjection, changelogFilesProjection];

export interface FoundHits {
  readonly releases: readonly ReleaseHit[];
  readonly chunks: readonly ChunkHit[];
  readonly degradedReason: DegradedReason | null;
}

const wordsOnly: QueryMeaning = { nearest: null, degradedReason: null };

/** What has no date, and what is dated up to a minute ahead (contract 2.9); a window leaves out what has no date. */
const releaseFilter = (input: SearchInput, { sources }: SearchScope, nowMs: number): SearchFilter => {
  const { from, to } = windowOf(input);
  return {
    sources,
    ...(from !== null && { fromMs: from }),
    toMs: Math.min(to, dueUntilMs(nowMs)),
    keepsUndated: from === null,
    withCoverage: input.includeCoverage,
  };
};

type HitKind = Extract<SearchKind, 'release' | 'chunk'>;
export type HitsAsking = Asking & { readonly kinds: readonly HitKind[] };

/** The best of releases and, where they are wanted, pieces of changelog files together (contract 7.2); null without an index. */
export async function rankHits(
  deps: RankDeps,
  input: SearchInput,
  { kinds, nowMs, admin }: HitsAsking,
): Promise<{ readonly scope: SearchScope; readonly meaning: QueryMeaning; readonly page: HitPage | null }> {
  const scope = searchScope(deps.catalogue, input, admin);
  const index = await deps.openIndex();
  const tokens = typedTokens(input.q);
  const meaning = input.mode === 'lexical' ? wordsOnly : await queryMeaning(deps, { q: input.q, tokens });
  if (index === null) return { scope, meaning, page: null };
  const filterOf = {
    release: () => releaseFilter(input, scope, nowMs),
    chunk: () => ({ sources: scope.sources, withCoverage: true }),
  };
  const page = await hitPage(deps, index, {
    ...input,
    words: { tokens, isPrefix: false },
    meaning,
    filters: new Map(kinds.map((kind) => [kind, filterOf[kind]()])),
    scope,
    nowMs,
  });
  return { scope, meaning, page };
}

/** One page of them, as they are shown. */
export async function findHits(deps: SearchDeps, input: SearchInput, asking: HitsAsking): Promise<FoundHits> {
  const { scope, meaning, page } = await rankHits(deps, input, asking);
  if (page === null) return { releases: [], chunks: [], degradedReason: meaning.degradedReason };
  const { hits, candidates, degradedReason } = page;
  const hasScore = input.mode !== 'lexical';
  const releases = hits.flatMap(({ kind, id, score }) => {
    const row = kind === 'release' ? candidates.release(id) : undefined;
    return row === undefined ? [] : [{ row, score: hasScore ? score : null }];
  });
  const chunks = hits.flatMap(({ kind, id, score }) => {
    const chunk = kind === 'chunk' ? candidates.chunk(id) : undefined;
    return chunk === undefined ? [] : [{ chunk, score }];
  });
  return {
    releases: await releaseHits(deps, releases, { sight: scope.sight, nowMs: asking.nowMs }),
    chunks: await chunkHits(deps, chunks),
    degradedReason,
  };
}
