import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { theseSources } from '../../src/catalogue/wanted-sources.ts';
import { sightOn } from '../../src/catalogue/visibility.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { feedRunsOf } from '../../src/domain/release/feed/feed-runs.ts';
import { type LaneChoice, lanesOf } from '../../src/domain/release/feed/lane.ts';
import { pagination } from '../../src/kernel/paging/page.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import { countOfFeed, placeAfter, stepOver } from '../feed/numbered-page.ts';
import { releaseFeedAnswer } from '../feed/release-feed-answer.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { sourceFeed } from './source-releases.ts';

export interface NumberedPageInput extends LaneChoice {
  readonly source: SourceDocument;
  readonly page: number;
  readonly pageSize: number;
  readonly sent: FeedPaging['sent'];
}

/**
 * A page of the releases of one source by its number, with the cursor of the next (contract 5.2). The catalogue knows where
 * it begins, so that nothing is read of the pages before it; only what has no date is stepped over.
 */
export const sourceReleasesPage = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  { source, page, pageSize, sent, ...choice }: NumberedPageInput,
  { nowMs, admin }: Asking,
) => {
  const lanes = lanesOf(choice);
  const wanted = { instants: deps.catalogue.instantsOf(source.id), runs: feedRunsOf(lanes, null), nowMs };
  const totalItems = countOfFeed(wanted);
  const answer = (releases: Releases, nextCursor: string | null) => ({
    releases,
    pagination: { ...pagination(page, pageSize, releases.length, totalItems), nextCursor, limit: pageSize },
  });
  const before = (page - 1) * pageSize;
  if (before >= totalItems) return answer([], null);
  const request = {
    orgId: source.orgId,
    sources: theseSources(deps.catalogue, [source]),
    lanes,
    sinceMs: null,
    untilMs: null,
    nowMs,
  };
  const { after: place, undatedBefore } = placeAfter(wanted, before);
  const after = await stepOver(
    deps.models.of(releaseFeedProjection),
    { ...request, minImportance: null, after: place, limit: pageSize },
    undatedBefore,
  );
  if (after === undefined) return answer([], null);
  const { releases, pagination: following } = await releaseFeedAnswer(deps, {
    feed: sourceFeed,
    entity: source.id,
    paging: { cursor: null, limit: pageSize, sent },
    sight: sightOn(admin, source.id, source.orgId),
    request,
    after,
  });
  return answer(releases, following.nextCursor);
};

type Releases = Awaited<ReturnType<typeof releaseFeedAnswer>>['releases'];
