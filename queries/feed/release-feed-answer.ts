import { bodiesProjection } from '../../projections/bodies/bodies.ts';
import { releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import {
  type FeedDerived,
  type FeedGiven,
  releaseFeedProjection,
} from '../../projections/release-feed/release-feed.ts';
import type { Sight } from '../../src/catalogue/visibility.ts';
import type { Media } from '../../src/domain/release/events.ts';
import { type DomainError, invalidParameter } from '../../src/kernel/errors.ts';
import type { CursorScope } from '../../src/kernel/paging/cursor.ts';
import { decodeFeedCursor, encodeFeedCursor, type FeedPaging } from './feed-cursor.ts';
import { feedPage } from './feed-page.ts';
import { type FeedPosition, positionOf } from './feed-run.ts';
import type { FeedRequest } from './feed-scope.ts';
import { type FeedWords, matchingPage } from './matching-page.ts';
import { inTurn } from './long-page-in-turn.ts';
import type { LongPageDeps, QueryDeps } from '../shape/query-deps.ts';
import { fullReleaseItems, fullReleaseItemTexts } from '../shape/release/release-items.ts';
import type { FullFeedItem } from '../shape/release/feed-item.ts';

export interface ReleaseFeedAnswer {
  readonly releases: readonly FullFeedItem[];
  readonly pagination: { readonly nextCursor: string | null; readonly limit: number };
}

/** What a page is made of. */
export const releaseFeedReads = [bodiesProjection, releaseDetailProjection, releaseFeedProjection];

export interface PagedFeed {
  /** Which feed, of which entity: a cursor holds for no other. */
  readonly feed: string;
  readonly entity: string;
  readonly paging: FeedPaging;
  readonly sight: Sight;
  readonly request: Omit<FeedRequest, 'minImportance' | 'after' | 'limit'>;
  /** Where the page begins when no cursor tells. */
  readonly after?: FeedPosition | null;
  /** What its releases must say. */
  readonly words?: FeedWords | null;
}

/** About what the texts and media of one page may have together: a page of long ones is short, and its cursor goes on. */
export const pageCharsMax = 8_000_000;

/** What a page by number may have: more would be written, and held for whoever takes it slowly, in one piece. */
export const wholePageCharsMax = 4 * pageCharsMax;

/** What tells how long a release is. */
interface SizedRow {
  readonly given: Pick<FeedGiven, 'media'>;
  readonly derived: Pick<FeedDerived, 'contentChars'>;
}

const itemChars = ({ url, alt = '', r2Key = '', r2Url = '', linkUrl = '' }: Media): number =>
  url.length + alt.length + r2Key.length + r2Url.length + linkUrl.length;

const mediaChars = (media: readonly Media[] = []): number => media.reduce((sum, item) => sum + itemChars(item), 0);

/** Of its text and its media: beside them there are a few thousand at most. */
const charsOf = ({ given, derived }: SizedRow): number => (derived.contentChars ?? 0) + mediaChars(given.media);

/** Those that fit with their texts and media, and at least one. */
export const fitting = <Row extends SizedRow>(rows: readonly Row[], charsMax: number): readonly Row[] => {
  let chars = 0;
  const end = rows.findIndex((row, index) => (chars += charsOf(row)) > charsMax && index > 0);
  return end === -1 ? rows : rows.slice(0, end);
};

type FeedDeps = Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>;

/** The rows of one page, however long their texts are, and what a cursor of it holds for. */
const readRows = async (
  deps: FeedDeps,
  { feed, entity, paging, request, after: begin = null, words = null }: PagedFeed,
) => {
  const scope: CursorScope = { feed, entity, filters: paging.sent };
  const after = decodeFeedCursor(paging.cursor, scope) ?? begin;
  const rowsOfFeed = deps.models.of(releaseFeedProjection);
  const asked: FeedRequest = { ...request, minImportance: null, after, limit: paging.limit };
  const page = await (words === null ? feedPage(rowsOfFeed, asked) : matchingPage(rowsOfFeed, asked, words));
  return { page, scope };
};

/** The rows of one page that fit, and what is said of it. */
const readPage = async (deps: FeedDeps, feed: PagedFeed) => {
  const { paging, sight, request } = feed;
  const { page, scope } = await readRows(deps, feed);
  const rows = fitting(page.rows, pageCharsMax);
  const next = rows.length < page.rows.length ? positionOf(rows.at(-1)!) : page.next;
  return {
    seen: { rows, sight, nowMs: request.nowMs },
    pagination: { nextCursor: encodeFeedCursor(next, scope), limit: paging.limit },
  };
};

/** One page of a feed with the content of its releases, and the cursor of the next. */
export const releaseFeedAnswer = async (deps: FeedDeps, feed: PagedFeed): Promise<ReleaseFeedAnswer> => {
  const { seen, pagination } = await readPage(deps, feed);
  return { releases: await fullReleaseItems(deps, seen), pagination };
};

/** To show fewer would leave out for good what the next number does not begin with. */
const tooLong = (pageSize: number): DomainError =>
  invalidParameter({
    parameter: 'pageSize',
    reason: `must be lower, as the texts of this page have more than ${wholePageCharsMax} characters; or follow the cursors of the list of releases`,
    value: String(pageSize),
  });

/** So many as are asked for, of which those that do not fit together are read in several steps. */
export const wholeReleaseFeedAnswer = async (
  deps: FeedDeps & LongPageDeps,
  feed: PagedFeed,
): Promise<ReleaseFeedAnswer> => {
  const { paging, sight, request } = feed;
  const { page, scope } = await readRows(deps, feed);
  if (fitting(page.rows, wholePageCharsMax).length < page.rows.length) throw tooLong(paging.limit);
  const readAll = async () => {
    const releases: FullFeedItem[] = [];
    for (let left = page.rows; left.length > 0; ) {
      const rows = fitting(left, pageCharsMax);
      releases.push(...(await fullReleaseItems(deps, { rows, sight, nowMs: request.nowMs })));
      left = left.slice(rows.length);
    }
    return releases;
  };
  const isLong = fitting(page.rows, pageCharsMax).length < page.rows.length;
  const releases = await (isLong ? inTurn(deps, readAll) : readAll());
  return { releases, pagination: { nextCursor: encodeFeedCursor(page.next, scope), limit: paging.limit } };
};

/** The page that fits, as JSON. */
export const releaseFeedText = async (deps: FeedDeps, feed: PagedFeed): Promise<string> => {
  const { seen, pagination } = await readPage(deps, feed);
  const items = await fullReleaseItemTexts(deps, seen);
  return `{"releases":[${items.join(',')}],"pagination":${JSON.stringify(pagination)}}`;
};
