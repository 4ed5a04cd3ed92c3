import type { SearchIndex } from '../../src/ports/search-index.ts';
import type { FusedHit } from '../../src/search/ranking/fused-hits.ts';
import { depthOfPage, fusedPage } from '../../src/search/ranking/fused-page.ts';
import { wordPage } from '../../src/search/ranking/word-page.ts';
import type { QueryDeps } from '../shape/query-deps.ts';
import { type Candidates, createCandidates, type WantedHits } from './candidates.ts';
import type { DegradedReason } from './query-meaning.ts';
import { createRankedLists, type NamedList, type WantedLists } from './ranked-lists.ts';

export interface HitPage {
  readonly hits: readonly FusedHit[];
  /** What they were taken from. */
  readonly lists: readonly NamedList[];
  readonly candidates: Candidates;
  readonly degradedReason: DegradedReason | null;
}

export interface WantedPage extends WantedLists, WantedHits {
  readonly offset: number;
  readonly limit: number;
}

/** Of each list, however little of it is to be shown; and as often it is asked at most. */
const candidatesMax = 5_000;
const asksMax = 4;

/** The best of what is shown. Where much of the lists is not, they are asked for again, deeper, within bounds. */
export async function hitPage(
  deps: Pick<QueryDeps, 'models'>,
  index: SearchIndex,
  wanted: WantedPage,
): Promise<HitPage> {
  const { mode, offset, limit, nowMs } = wanted;
  const candidates = createCandidates(deps, wanted);
  const lists = createRankedLists(index, wanted);
  let depth = depthOfPage({ offset, limit });
  for (let asked = 1; ; asked += 1) {
    const ranked = await lists.read(depth);
    await candidates.learn(ranked);
    const wish = { offset, limit, depth, nowMs, dateOf: candidates.dateOf };
    const page = mode === 'lexical' ? wordPage(ranked[0]!, wish) : fusedPage(ranked, wish);
    const wantedDepth = Math.min(page.wantedDepth, candidatesMax);
    if (wantedDepth <= depth || asked === asksMax) {
      return { hits: page.hits, lists: ranked, candidates, degradedReason: lists.degradedReason() };
    }
    depth = wantedDepth;
  }
}
