import type { SearchIndex } from '../../src/ports/search-index.ts';
import type { FusedHit } from '../../src/search/ranking/fused-hits.ts';
import { candidatesOfPage, fusedPage } from '../../src/search/ranking/fused-page.ts';
import { listDepthFor, listDepths } from '../../src/search/ranking/list-depths.ts';
import { wordPage } from '../../src/search/ranking/word-page.ts';
import type { QueryDeps } from '../shape/query-deps.ts';
import { type Candidates, createCandidates, type WantedHits } from './candidates.ts';
import type { DegradedReason } from './query-meaning.ts';
import { createRankedLists, type NamedList, type WantedLists } from './ranked-lists.ts';

export interface HitPage {
  readonly hits: readonly FusedHit[];
  /** What they were ranked by. */
  readonly lists: readonly NamedList[];
  readonly candidates: Candidates;
  readonly degradedReason: DegradedReason | null;
}

export interface WantedPage extends WantedLists, WantedHits {
  readonly offset: number;
  readonly limit: number;
}

/** The best of what is shown. Where much of the lists is not, they are asked for again, deeper, within bounds. */
export async function hitPage(
  deps: Pick<QueryDeps, 'models'>,
  index: SearchIndex,
  wanted: WantedPage,
): Promise<HitPage> {
  const { mode, offset, limit, nowMs } = wanted;
  const candidates = createCandidates(deps, wanted);
  const lists = createRankedLists(index, wanted);
  let depth = listDepthFor(limit, candidatesOfPage({ offset, limit }));
  for (;;) {
    const depths = mode === 'lexical' ? [depth] : listDepths(limit).filter((each) => each <= depth);
    const ranked = await lists.read(depths);
    await candidates.learn([...ranked.values()].flat());
    const wish = { offset, limit, nowMs, dateOf: candidates.dateOf };
    const page = mode === 'lexical' ? wordPage(ranked.get(depth)![0]!, { ...wish, depth }) : fusedPage(ranked, wish);
    if (page.missingDepth === null) {
      const used = ranked.get(listDepthFor(limit, page.candidates))!;
      const cut = used.map((list) => ({ ...list, hits: list.hits.slice(0, page.candidates) }));
      return { hits: page.hits, lists: cut, candidates, degradedReason: lists.degradedReason() };
    }
    depth = page.missingDepth;
  }
}
