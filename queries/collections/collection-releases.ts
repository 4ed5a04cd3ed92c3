import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveCollection } from '../../src/catalogue/resolve.ts';
import { publicSight } from '../../src/catalogue/visibility.ts';
import { sourcesOfMembers } from '../../src/catalogue/wanted-sources.ts';
import { type LaneChoice, lanesOf } from '../../src/domain/release/feed/lane.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import { type PagedFeed, releaseFeedReads } from '../feed/release-feed-answer.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export interface CollectionReleasesInput extends LaneChoice, FeedPaging {
  readonly collection: string;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

export const collectionReleasesReads = [...catalogueReads, ...releaseFeedReads];

/** The releases of all members of a collection (contract 10.3), each once. */
export const collectionFeed = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  input: CollectionReleasesInput,
  { nowMs }: Pick<Asking, 'nowMs'>,
): PagedFeed => {
  const { sinceMs, untilMs } = input;
  const collection = resolveCollection(catalogue, input.collection);
  return {
    feed: 'collection-releases',
    entity: collection.id,
    paging: input,
    sight: publicSight,
    request: {
      orgId: null,
      sources: sourcesOfMembers(catalogue, catalogue.membersOf(collection)),
      lanes: lanesOf(input),
      sinceMs,
      untilMs,
      nowMs,
    },
  };
};
