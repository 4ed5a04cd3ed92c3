import { compareDates, type RankedList } from './fused-hits.ts';
import { deeperBy, type PageWish, type RankedPage } from './fused-page.ts';
import { listDepthFor } from './list-depths.ts';

type WordPageWish = PageWish & {
  /** How many were asked for: a list that has fewer is at its end. */
  readonly depth: number;
};

/** One page by words alone: as the words rank, then the newest first (contract 7.2). */
export function wordPage({ kind, hits }: RankedList, { offset, limit, depth, dateOf }: WordPageWish): RankedPage {
  const shown = hits.flatMap(({ id, score }) => {
    const publishedMs = dateOf(kind, id);
    return publishedMs === undefined ? [] : [{ kind, id, score, publishedMs }];
  });
  shown.sort((a, b) => b.score - a.score || compareDates(a.publishedMs, b.publishedMs) || (a.id < b.id ? -1 : 1));
  const isShort = shown.length < offset + limit && hits.length >= depth;
  const deeper = listDepthFor(limit, depth * deeperBy);
  const missingDepth = isShort && deeper > depth ? deeper : null;
  return { hits: shown.slice(offset, offset + limit), candidates: depth, missingDepth };
}
