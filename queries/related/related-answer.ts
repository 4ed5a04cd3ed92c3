import type { SearchFilter, SearchHit } from '../../src/ports/search-index.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import type { KeptNeighbours } from './kept-neighbours.ts';
import { type Anchor, type NeighbourDeps, nearestNeighbours, neighboursMax } from './nearest-neighbours.ts';

export const relatedScopes = ['org', 'global'] as const;
export type RelatedScope = (typeof relatedScopes)[number];

export interface RelatedDeps extends NeighbourDeps, Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'> {
  readonly kept: KeptNeighbours;
}

export interface RelatedInput {
  readonly scope: RelatedScope;
  readonly limit: number;
  /** Asked anew, whatever is kept. */
  readonly isFresh: boolean;
}

interface WantedNeighbours<Item> {
  readonly anchor: Anchor;
  /** Of the same anchor there may be several lists. */
  readonly list: string;
  readonly filter: SearchFilter;
  /** The best of them that are to be shown now, as many as are wanted. */
  readonly itemsOf: (neighbours: readonly SearchHit[]) => Promise<readonly Item[]>;
}

/** What is related, whether it was known from the last minutes, and for how long it may be shown on: its neighbours age. */
export async function relatedAnswer<Item>(
  deps: RelatedDeps,
  { anchor, list, filter, itemsOf }: WantedNeighbours<Item>,
  { scope, limit, isFresh, nowMs }: RelatedInput & Pick<Asking, 'nowMs'>,
) {
  const key = `${anchor.kind} ${anchor.id} ${list}`;
  const known = isFresh ? null : deps.kept.known(key, nowMs);
  if (known !== null) {
    const items = await itemsOf(known.neighbours);
    // Where many have gone since, there may be others that were not among the nearest then.
    if (items.length === limit || known.neighbours.length < neighboursMax) {
      return { body: { scope, items, degraded: false }, isHit: true, goodForMs: known.goodForMs };
    }
  }
  const asked = await nearestNeighbours(deps, anchor, filter);
  if (typeof asked === 'string') {
    return { body: { scope, items: [], degraded: true, degradedReason: asked }, isHit: false, goodForMs: 0 };
  }
  const { goodForMs } = deps.kept.keep(key, asked, nowMs);
  return { body: { scope, items: await itemsOf(asked), degraded: false }, isHit: false, goodForMs };
}
