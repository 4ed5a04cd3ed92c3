import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { publicSight } from '../../src/catalogue/visibility.ts';
import { sourcesOfCategory } from '../../src/catalogue/wanted-sources.ts';
import { type LaneChoice, lanesOf } from '../../src/domain/release/feed/lane.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import { type ReleaseFeedAnswer, releaseFeedAnswer, releaseFeedReads } from '../feed/release-feed-answer.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { resolveCategory } from './category-card.ts';

export interface CategoryReleasesInput extends LaneChoice, FeedPaging {
  readonly category: string;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

export const categoryReleasesReads = [...catalogueReads, ...releaseFeedReads];

/** The releases of a category: each belongs to that of its product, else of its org (contract 10.3). */
export const categoryReleases = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  input: CategoryReleasesInput,
  { nowMs }: Pick<Asking, 'nowMs'>,
): Promise<ReleaseFeedAnswer> => {
  const { sinceMs, untilMs } = input;
  const category = resolveCategory(input.category);
  return releaseFeedAnswer(deps, {
    feed: 'category-releases',
    entity: category,
    paging: input,
    sight: publicSight,
    request: {
      orgId: null,
      sources: sourcesOfCategory(deps.catalogue, category),
      lanes: lanesOf(input),
      sinceMs,
      untilMs,
      nowMs,
    },
  });
};
