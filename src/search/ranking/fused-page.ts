import type { SearchKind } from '../../ports/search-index.ts';
import { candidatesPerList, compareHits, type FusedHit, rankShare, type RankedList } from './fused-hits.ts';
import { recencyFactor } from './recency.ts';

export interface PageWish {
  readonly offset: number;
  readonly limit: number;
  /** How many of each list were asked for: one that has fewer is at its end. */
  readonly depth: number;
  /** Undefined for what is not to be shown. */
  readonly dateOf: (kind: SearchKind, id: string) => number | null | undefined;
  readonly nowMs: number;
}

export interface RankedPage {
  readonly hits: readonly FusedHit[];
  /** More than the depth where that was not enough: as deep as the lists must be. */
  readonly wantedDepth: number;
}

/** How much deeper is looked where too much of the lists is not to be shown. */
export const deeperBy = 8;

/** Pages smaller than this are cut from a larger one, which is ranked as a whole: a thousand pages of one would cost as many. */
const rankedTogetherMin = 20;

/** Where pages of this size are ranked together, from one bound to the next; the last one ends with the page or behind it. */
function boundsOf({ offset, limit }: Pick<PageWish, 'offset' | 'limit'>): number[] {
  const step = limit * Math.ceil(rankedTogetherMin / limit);
  const bounds = [offset % limit];
  while (bounds.at(-1)! < offset + limit) bounds.push(bounds.at(-1)! + step);
  return bounds;
}

/** How many of each list a page is made of (contract 7.2). */
export const depthOfPage = (page: Pick<PageWish, 'offset' | 'limit'>): number =>
  candidatesPerList(0, boundsOf(page).at(-1)!);

interface Candidate extends Omit<FusedHit, 'score'> {
  sum: number;
  readonly factor: number;
}

const hitOf = ({ kind, id, publishedMs, sum, factor }: Candidate): FusedHit => ({
  kind,
  id,
  publishedMs,
  score: sum * factor,
});

/** The best of them in order, with one look at each. */
function bestOf(candidates: Iterable<Candidate>, count: number): FusedHit[] {
  const best: FusedHit[] = [];
  for (const candidate of candidates) {
    const last = best[count - 1];
    if (last !== undefined && candidate.sum * candidate.factor < last.score) continue; // most are
    const hit = hitOf(candidate);
    if (last !== undefined && compareHits(hit, last) > 0) continue;
    const place = best.findIndex((other) => compareHits(hit, other) < 0);
    if (place === -1) best.push(hit);
    else best.splice(place, 0, hit);
    if (best.length > count) best.pop();
  }
  return best;
}

/**
 * One page of all lists together (contract 7.2). Deeper lists rank what is in them anew; so that who goes from page to page
 * meets nothing twice, the pages before are taken first, each from lists of its own depth.
 */
export function fusedPage(lists: readonly RankedList[], wish: PageWish): RankedPage {
  const { offset, limit, depth, dateOf, nowMs } = wish;
  const waiting = new Map<string, Candidate>();
  const taken = new Set<string>();
  const hasMore = lists.some(({ hits }) => hits.length >= depth);
  let reached = 0;
  let wantedDepth = 0;

  const takeIn = ({ kind, hits }: RankedList, to: number): void => {
    for (let index = reached; index < Math.min(to, hits.length); index += 1) {
      const { id } = hits[index]!;
      const key = `${kind} ${id}`;
      const known = waiting.get(key);
      if (known !== undefined) known.sum += rankShare(index);
      if (known !== undefined || taken.has(key)) continue;
      const publishedMs = dateOf(kind, id);
      if (publishedMs === undefined) continue;
      const factor = recencyFactor(publishedMs, nowMs);
      waiting.set(key, { kind, id, publishedMs, factor, sum: rankShare(index) });
    }
  };

  const goTo = (to: number): void => {
    if (to <= reached) return;
    for (const list of lists) takeIn(list, to);
    reached = to;
  };

  /** The next ones, up to that place. */
  const rankTo = (end: number, count: number): FusedHit[] => {
    let to = candidatesPerList(0, end);
    goTo(to);
    while (waiting.size < count && to < depth) {
      to *= deeperBy;
      goTo(to);
    }
    if (waiting.size < count) to = Math.max(to, depth * deeperBy);
    if (hasMore && to > depth) wantedDepth = Math.max(wantedDepth, to);
    const best = bestOf(waiting.values(), count);
    for (const { kind, id } of best) {
      waiting.delete(`${kind} ${id}`);
      taken.add(`${kind} ${id}`);
    }
    return best;
  };

  let [start, end] = [0, 0];
  let ranked: FusedHit[] = [];
  for (const bound of boundsOf(wish)) {
    [start, end] = [end, bound];
    ranked = rankTo(end, end - start);
  }
  return { hits: ranked.slice(offset - start, offset - start + limit), wantedDepth };
}
