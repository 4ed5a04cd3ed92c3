import type { SourceDocument } from '../../projections/source/source.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { sightOn } from '../../src/catalogue/visibility.ts';
import { theseSources } from '../../src/catalogue/wanted-sources.ts';
import { type LaneChoice, lanesOf } from '../../src/domain/release/feed/lane.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import type { FeedWords } from '../feed/matching-page.ts';
import {
  type PagedFeed,
  type ReleaseFeedAnswer,
  releaseFeedAnswer,
  releaseFeedReads,
} from '../feed/release-feed-answer.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export interface SourceReleasesInput extends LaneChoice, FeedPaging {
  readonly source: SourceDocument;
  readonly feed: string;
  /** Dated at or after this moment; all when null. */
  readonly sinceMs: number | null;
  /** What they must say. */
  readonly words?: Pick<FeedWords, 'index' | 'tokens'> | null;
}

/** All its releases: detail and list continue each other's pages. */
export const sourceFeedName = 'source-releases';

export const sourceReleasesReads = [...catalogueReads, ...releaseFeedReads];

/** A page of the releases of one source (contract 5.3). */
export const sourceFeed = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { source, feed, sinceMs, words, ...input }: SourceReleasesInput,
  { nowMs, admin }: Asking,
): PagedFeed => ({
  feed,
  entity: source.id,
  paging: input,
  sight: sightOn(admin, source.id, source.orgId),
  words: words ? { ...words, sourceIds: new Set([source.id]) } : null,
  request: {
    orgId: source.orgId,
    sources: theseSources(catalogue, [source]),
    lanes: lanesOf(input),
    sinceMs,
    untilMs: null,
    nowMs,
  },
});

export const sourceReleases = (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  input: SourceReleasesInput,
  asking: Asking,
): Promise<ReleaseFeedAnswer> => releaseFeedAnswer(deps, sourceFeed(deps, input, asking));
