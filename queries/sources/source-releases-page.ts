import { countReleases } from '../../src/catalogue/instants/known-releases.ts';
import { theseSources } from '../../src/catalogue/wanted-sources.ts';
import { sightOn } from '../../src/catalogue/visibility.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { feedRunsOf } from '../../src/domain/release/feed/feed-runs.ts';
import { type LaneChoice, lanesOf } from '../../src/domain/release/feed/lane.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import { pagination } from '../../src/kernel/paging/page.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import { placeAfter } from '../feed/numbered-page.ts';
import { type ReleaseFeedAnswer, wholeReleaseFeedAnswer } from '../feed/release-feed-answer.ts';
import type { Asking, LongPageDeps, QueryDeps } from '../shape/query-deps.ts';
import { sourceFeedName } from './source-releases.ts';

export interface NumberedPageInput extends LaneChoice {
  readonly source: SourceDocument;
  readonly page: number;
  readonly pageSize: number;
  readonly sent: FeedPaging['sent'];
}

/**
 * A page of the releases of one source by its number, with the cursor of the next (contract 5.2). The catalogue knows where
 * it begins, so that nothing is read of the pages before it. It is whole: the next number begins where it ends.
 */
export const sourceReleasesPage = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'> & LongPageDeps,
  { source, page, pageSize, sent, ...choice }: NumberedPageInput,
  { nowMs, admin }: Asking,
) => {
  const lanes = lanesOf(choice);
  const instants = deps.catalogue.instantsOf(source.id);
  const [runs, untilMs] = [feedRunsOf(lanes, null), dueUntilMs(nowMs)];
  const totalItems = countReleases(instants, runs, untilMs);
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
  const { releases, pagination: following } = await wholeReleaseFeedAnswer(deps, {
    feed: sourceFeedName,
    entity: source.id,
    paging: { cursor: null, limit: pageSize, sent },
    sight: sightOn(admin, source.id, source.orgId),
    request,
    after: placeAfter({ instants, runs, untilMs }, before),
  });
  return answer(releases, following.nextCursor);
};

type Releases = ReleaseFeedAnswer['releases'];
