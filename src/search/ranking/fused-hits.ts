import type { SearchHit, SearchKind } from '../../ports/search-index.ts';
import { recencyFactor } from './recency.ts';

/** A list of one kind, the best first. */
export interface RankedList {
  readonly kind: SearchKind;
  readonly hits: readonly SearchHit[];
}

export interface FusedHit {
  readonly kind: SearchKind;
  readonly id: string;
  readonly score: number;
  readonly publishedMs: number | null;
}

/** How little the first places differ from each other (contract 7.2). */
const rankOffset = 60;

/** What a place in a list adds to a score. */
export const rankShare = (index: number): number => 1 / (rankOffset + index + 1);

/** What is best of each list, before it is known how they fit together. */
export const candidatesPerList = (offset: number, limit: number): number => 3 * (offset + limit);

/** Those with a date first, the newest of them. */
export const compareDates = (a: number | null, b: number | null): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
};

export const compareHits = (a: FusedHit, b: FusedHit): number =>
  b.score - a.score || compareDates(a.publishedMs, b.publishedMs) || (a.id < b.id ? -1 : 1);

/**
 * One list of all: who stands high in several lists comes before who stands highest in one (contract 7.2). `dateOf` answers
 * undefined for what is not to be shown.
 */
export function fuseHits(
  lists: readonly RankedList[],
  {
    dateOf,
    nowMs,
  }: { readonly dateOf: (kind: SearchKind, id: string) => number | null | undefined; readonly nowMs: number },
): FusedHit[] {
  const sums = new Map<string, { readonly kind: SearchKind; readonly id: string; sum: number }>();
  for (const { kind, hits } of lists) {
    hits.forEach(({ id }, index) => {
      const key = `${kind} ${id}`;
      const known = sums.get(key) ?? { kind, id, sum: 0 };
      known.sum += rankShare(index);
      sums.set(key, known);
    });
  }
  const fused: FusedHit[] = [];
  for (const { kind, id, sum } of sums.values()) {
    const publishedMs = dateOf(kind, id);
    if (publishedMs === undefined) continue;
    fused.push({ kind, id, publishedMs, score: sum * recencyFactor(publishedMs, nowMs) });
  }
  return fused.sort(compareHits);
}
