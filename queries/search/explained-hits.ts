import { effectiveCard } from '../../src/domain/release/effective.ts';
import { recencyFactor } from '../../src/search/ranking/recency.ts';
import { type HitsAsking, type RankDeps, rankHits, type SearchInput } from './find-hits.ts';

/** Where a hit stands in a list that it was found in. */
export interface HitPlace {
  readonly by: 'words' | 'meaning';
  /** From 1. */
  readonly rank: number;
  /** Of words: of this list alone. Of meaning: the cosine. */
  readonly score: number;
}

export interface ExplainedHit {
  readonly kind: 'release' | 'chunk';
  readonly id: string;
  readonly sourceName: string;
  readonly title: string;
  readonly publishedMs: number | null;
  readonly score: number;
  /** What the age made of the sum of its places; null where words alone rank. */
  readonly recency: number | null;
  readonly places: readonly HitPlace[];
}

/** The hits of a search with how they came to their places, for who wants to understand a ranking. */
export async function explainHits(deps: RankDeps, input: SearchInput, asking: HitsAsking) {
  const { page, meaning } = await rankHits(deps, input, asking);
  if (page === null) return { hits: [], degradedReason: meaning.degradedReason };
  const { candidates, lists, degradedReason } = page;
  const hits = page.hits.flatMap(({ kind, id, score, publishedMs }): ExplainedHit[] => {
    const row = candidates.release(id);
    const chunk = candidates.chunk(id);
    const sourceId = row?.sourceId ?? chunk?.file.sourceId;
    if (kind === 'source' || sourceId === undefined) return [];
    const shown = row && effectiveCard(row.given, row.derived);
    const title =
      shown === undefined ? `${chunk?.file.path} at ${chunk?.offset}` : `${shown.version ?? ''} ${shown.title}`;
    const places = lists.flatMap((list): HitPlace[] => {
      const at = list.kind === kind ? list.hits.findIndex((hit) => hit.id === id) : -1;
      return at === -1 ? [] : [{ by: list.by, rank: at + 1, score: list.hits[at]!.score }];
    });
    const sourceName = deps.catalogue.source(sourceId)?.name ?? sourceId;
    const recency = input.mode === 'lexical' ? null : recencyFactor(publishedMs, asking.nowMs);
    return [{ kind, id, sourceName, title: title.trim(), publishedMs, score, recency, places }];
  });
  return { hits, degradedReason };
}
