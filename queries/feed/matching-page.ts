import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import { isCoverageCode, laneCodes } from '../../src/domain/release/feed/lane.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import type { ReadModel } from '../../src/ports/read-models.ts';
import type { SearchFilter, SearchIndex, WantedWords } from '../../src/ports/search-index.ts';
import { type FeedPage, feedPage } from './feed-page.ts';
import { compareFeedOrder, compareToPosition, type FeedPosition, positionOf } from './feed-run.ts';
import { type FeedRequest, windowOf } from './feed-scope.ts';

/** What releases of a feed must have in their title or content (contract 3.3). */
export interface FeedWords {
  /** Null before the first one was made: then nothing has them. */
  readonly index: SearchIndex | null;
  /** At least one; each is a word or the beginning of one. */
  readonly tokens: readonly string[];
  /** The wanted sources, as the index takes them. */
  readonly sourceIds: ReadonlySet<string>;
}

/** In their title or content, each a word or the beginning of one. */
export const wantedInFeed = (tokens: readonly string[]): WantedWords => ({
  tokens,
  isPrefix: true,
  fields: ['title', 'body'],
});

/** So many are put in order by themselves; of more the feed is gone through. */
const fewMax = 500;
/** Where many have the words a page is soon full; else more rows are looked at together. */
const firstStepRows = 40;
const stepRowsMax = 200;
/** Rows that are gone through one after the other. Where few of them have the words, the index is asked by dates from there. */
export const lookedAtMax = 2_000;
/** Spans of dates that are asked about for one page: enough for any that is not made to be difficult. */
const spansMax = 24;
const spanMinMs = 3_600_000;

const withCoverage = ({ lanes }: FeedRequest): boolean => lanes.some((lane) => isCoverageCode(laneCodes[lane]));

/** What may come after the place where the page begins: nothing that is newer. */
const filterOf = (request: FeedRequest, sourceIds: ReadonlySet<string>): SearchFilter => {
  const { after, nowMs } = request;
  const { from, to } = windowOf(request);
  const shared = {
    sources: { in: sourceIds },
    withCoverage: withCoverage(request),
    withBare: true,
    keepsUndated: from === null,
  };
  // Behind the first without a date there are only such: nothing is dated before 1970.
  if (after !== null && after[0] === null) return { ...shared, toMs: -1 };
  const toMs = Math.min(to, dueUntilMs(nowMs), after?.[0] ?? Number.POSITIVE_INFINITY);
  return { ...shared, ...(from !== null && { fromMs: from }), toMs };
};

/** The index may be a moment behind: the row says where it stands now. */
const isWanted = (row: FeedRow, request: FeedRequest): boolean => {
  const { lanes, sources, after, nowMs } = request;
  const { from, to } = windowOf(request);
  const isWithin =
    row.publishedMs === null
      ? from === null
      : row.publishedMs >= (from ?? 0) && row.publishedMs <= Math.min(to, dueUntilMs(nowMs));
  return (
    isWithin &&
    lanes.some((lane) => lane === row.lane) &&
    sources.has(row.sourceId) &&
    (after === null || compareToPosition(row, after) > 0)
  );
};

const pageFrom = (found: readonly FeedRow[], limit: number): FeedPage => {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? positionOf(last) : null };
};

interface Matching {
  readonly feed: ReadModel<FeedRow>;
  readonly request: FeedRequest;
  readonly index: SearchIndex;
  readonly words: WantedWords;
}

/** All that have the words, if they are few; else null. */
const fewMatches = async (
  { feed, request, index, words }: Matching,
  sourceIds: ReadonlySet<string>,
): Promise<FeedRow[] | null> => {
  const filter = filterOf(request, sourceIds);
  const [answer] = await index.search([{ kind: 'release', filter, limit: fewMax + 1, words, inAnyOrder: true }]);
  const hits = answer?.hits ?? [];
  if (hits.length > fewMax) return null;
  const rows = await feed.get(hits.map(({ id }) => id));
  return rows.filter((row) => isWanted(row, request)).sort(compareFeedOrder);
};

/** What was found up to a place; null where nothing more is wanted. */
interface Walked {
  readonly found: FeedRow[];
  readonly after: FeedPosition | null;
}

const walk = async ({ feed, request, index, words }: Matching): Promise<Walked> => {
  const found: FeedRow[] = [];
  let { after } = request;
  let stepRows = Math.max(firstStepRows, request.limit + 1);
  for (let looked = 0; looked < lookedAtMax; looked += stepRows) {
    if (looked > 0) stepRows = Math.min(2 * stepRows, stepRowsMax, lookedAtMax - looked);
    const step = await feedPage(feed, { ...request, after, limit: stepRows });
    const ids = step.rows.map(({ id }) => id);
    const matching = await index.matching('release', ids, words);
    found.push(...step.rows.filter(({ id }) => matching.has(id)));
    after = step.next;
    if (found.length > request.limit || after === null) return { found, after: null };
  }
  return { found, after };
};

/** Before all that have this date or an earlier one. */
const beforeDate = (ms: number): FeedPosition => [ms, Number.MAX_SAFE_INTEGER, ''];

/**
 * From where the walk gave up: spans of dates, each as long as no more than a few in it have the words. A page comes back
 * short only where very many have the same date, or none, or are left out of this feed.
 */
const findBySpans = async (
  matching: Matching,
  sourceIds: ReadonlySet<string>,
  { found, after: from }: Walked,
): Promise<FeedPage> => {
  const { request } = matching;
  const firstMs = windowOf(request).from ?? 0;
  const begunMs = request.after?.[0] ?? request.nowMs;
  let after = from;
  let spanMs = Math.max(spanMinMs, 4 * (begunMs - (after?.[0] ?? begunMs)));
  for (let asked = 0; asked < spansMax && after !== null && after[0] !== null; asked += 1) {
    const sinceMs = after[0] - spanMs;
    const isLast = sinceMs <= firstMs;
    const few = await fewMatches(
      { ...matching, request: { ...request, after, ...(!isLast && { sinceMs }) } },
      sourceIds,
    );
    if (few === null && spanMs === 0) break;
    if (few === null) spanMs = Math.floor(spanMs / 8);
    else {
      found.push(...few);
      if (found.length > request.limit || isLast) return pageFrom(found, request.limit);
      after = beforeDate(sinceMs - 1);
      spanMs = 4 * Math.max(1, spanMs);
    }
  }
  const rows = found.slice(0, request.limit);
  return { rows, next: rows.length === 0 ? from : positionOf(rows.at(-1)!) };
};

/** One page of the releases that have the words, in the order of the feed. What it costs is bounded, however many there are. */
export const matchingPage = async (
  feed: ReadModel<FeedRow>,
  request: FeedRequest,
  { index, tokens, sourceIds }: FeedWords,
): Promise<FeedPage> => {
  if (index === null) return { rows: [], next: null };
  const matching = { feed, request, index, words: wantedInFeed(tokens) };
  const few = await fewMatches(matching, sourceIds);
  if (few !== null) return pageFrom(few, request.limit);
  const walked = await walk(matching);
  return walked.after === null ? pageFrom(walked.found, request.limit) : findBySpans(matching, sourceIds, walked);
};
