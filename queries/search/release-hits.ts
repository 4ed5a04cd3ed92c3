import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { Sight } from '../../src/catalogue/visibility.ts';
import type { FeedItem } from '../shape/release/feed-item.ts';
import type { QueryDeps } from '../shape/query-deps.ts';
import { releaseItems } from '../shape/release/release-items.ts';

/** A release as hits show it: beside its source, org and product, what they are called (contract 7.1). */
const hitOf = (item: FeedItem) => ({
  ...item,
  sourceSlug: item.source.slug,
  sourceName: item.source.name,
  sourceType: item.source.type,
  orgSlug: item.source.orgSlug,
  orgName: item.source.orgName,
  productSlug: item.product?.slug ?? null,
});

export type ReleaseHit = ReturnType<typeof hitOf> & { readonly score?: number };

interface FoundRelease {
  readonly row: FeedRow;
  /** Null where hits have none. */
  readonly score: number | null;
}

export const releaseHits = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  found: readonly FoundRelease[],
  { sight, nowMs }: { readonly sight: Sight; readonly nowMs: number },
): Promise<ReleaseHit[]> => {
  const scores = new Map(found.map(({ row, score }) => [row.id, score]));
  const items = await releaseItems(deps, { rows: found.map(({ row }) => row), sight, nowMs });
  return items.map((item) => {
    const score = scores.get(item.id) ?? null;
    return { ...hitOf(item), ...(score !== null && { score }) };
  });
};
