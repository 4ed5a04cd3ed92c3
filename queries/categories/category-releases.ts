import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { publicSight } from '../../src/catalogue/visibility.ts';
import { sourcesOfCategory } from '../../src/catalogue/wanted-sources.ts';
import { type LaneChoice, lanesOf } from '../../src/domain/release/feed/lane.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import { type PagedFeed, releaseFeedReads } from '../feed/release-feed-answer.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { resolveCategory } from './category-card.ts';

export interface CategoryReleasesInput extends LaneChoice, FeedPaging {
  readonly category: string;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

export const categoryReleasesReads = [...catalogueReads, ...releaseFeedReads];

/** The releases of a category: each belongs to that of its product, else of its org (contract 10.3). */
export const categoryFeed = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  input: CategoryReleasesInput,
  { nowMs }: Pick<Asking, 'nowMs'>,
): PagedFeed => {
  const { sinceMs, untilMs } = input;
  const category = resolveCategory(input.category);
  return {
    feed: 'category-releases',
    entity: category,
    paging: input,
    sight: publicSight,
    request: {
      orgId: null,
      sources: sourcesOfCategory(catalogue, category),
      lanes: lanesOf(input),
      sinceMs,
      untilMs,
      nowMs,
    },
  };
};
