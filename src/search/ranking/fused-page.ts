import type { SearchKind } from '../../ports/search-index.ts';
import { candidatesPerList, compareHits, type FusedHit, rankShare, type RankedList } from './fused-hits.ts';
import { listDepthFor } from './list-depths.ts';
import { recencyFactor } from './recency.ts';

export interface PageWish {
  readonly offset: number;
  readonly limit: number;
  /** Undefined for what is not to be shown. */
  readonly dateOf: (kind: SearchKind, id: string) => number | null | undefined;
  readonly nowMs: number;
}

export interface RankedPage {
  readonly hits: readonly FusedHit[];
  /** How much of each list it was ranked by. */
  readonly candidates: number;
  /** How deep the lists have to be that it takes; null where they were there. */
  readonly missingDepth: number | null;
}

/** Lists of each kind by how many of them were asked for: one that has fewer is at its end. */
export type ListsByDepth = ReadonlyMap<number, readonly RankedList[]>;

/** How much deeper is looked where too much of the lists is not to be shown. */
export const deeperBy = 8;

/** The first pages are each ranked by their own candidates. */
const pagesRankedAlone = 50;
/** Behind them smaller pages are cut from one of this size, which is ranked as a whole: a thousand of one would cost as many. */
const rankedTogetherMin = 20;

/** Where pages of this size are ranked, from one bound to the next; the last one ends with the page or behind it. */
function boundsOf({ offset, limit }: Pick<PageWish, 'offset' | 'limit'>): number[] {
  const together = limit * Math.ceil(rankedTogetherMin / limit);
  const bounds = [offset % limit];
  while (bounds.at(-1)! < offset + limit) {
    bounds.push(bounds.at(-1)! + (bounds.length <= pagesRankedAlone ? limit : together));
  }
  return bounds;
}

/** How many of each list a page is made of (contract 7.2). */
export const candidatesOfPage = (page: Pick<PageWish, 'offset' | 'limit'>): number =>
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
 * meets nothing twice, the pages before are taken first, each from the lists that it was made of itself.
 */
export function fusedPage(listsByDepth: ListsByDepth, wish: PageWish): RankedPage {
  const { offset, limit, dateOf, nowMs } = wish;
  const waiting = new Map<string, Candidate>();
  const taken = new Set<string>();
  let lists: readonly RankedList[] = [];
  let depth = 0; // of these lists
  let reached = 0; // of each of them

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

  /** False where the lists that are that deep are not there. Others than before are counted anew, but for what was taken. */
  const lookTo = (to: number): boolean => {
    const wantedDepth = listDepthFor(limit, to);
    if (wantedDepth !== depth) {
      const deeper = listsByDepth.get(wantedDepth);
      [lists, depth, reached] = [deeper ?? [], wantedDepth, 0];
      waiting.clear();
      if (deeper === undefined) return false;
    }
    for (const list of lists) takeIn(list, to);
    reached = Math.max(reached, Math.min(to, depth));
    return true;
  };

  const mayHaveMore = (): boolean =>
    lists.some(({ hits }) => hits.length > reached) ||
    (lists.some(({ hits }) => hits.length >= depth) && listDepthFor(limit, depth + 1) > depth);

  /** The next ones, up to that place; null where they are of lists that are not there. */
  const rankTo = (end: number, count: number): FusedHit[] | null => {
    if (!lookTo(Math.max(candidatesPerList(0, end), reached))) return null;
    while (waiting.size < count && mayHaveMore()) if (!lookTo(reached * deeperBy)) return null;
    const best = bestOf(waiting.values(), count);
    for (const { kind, id } of best) {
      waiting.delete(`${kind} ${id}`);
      taken.add(`${kind} ${id}`);
    }
    return best;
  };

  let [start, end] = [0, 0];
  let ranked: FusedHit[] | null = [];
  for (const bound of boundsOf(wish)) {
    [start, end] = [end, bound];
    ranked = rankTo(end, end - start);
    if (ranked === null) return { hits: [], candidates: 0, missingDepth: depth };
  }
  return { hits: ranked.slice(offset - start, offset - start + limit), candidates: reached, missingDepth: null };
}
