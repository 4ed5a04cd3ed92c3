import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import { idOrderOf } from '../../src/catalogue/instants/id-order.ts';
import { compareFeedPlaces, type FeedPlace, placeUpTo } from '../../src/catalogue/instants/newest-of-source.ts';
import type { WantedSources } from '../../src/catalogue/wanted-sources.ts';
import { feedRunsOf, importanceFrom } from '../../src/domain/release/feed/feed-runs.ts';
import type { Lane } from '../../src/domain/release/feed/lane.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import type { Equals } from '../../src/kernel/projection.ts';
import type { ReadModel } from '../../src/ports/read-models.ts';
import { createIndexRun, type FeedPosition, type FeedRun, type OpenMore, positionOf } from './feed-run.ts';

const sourceChunkRows = 4;
/** Sources whose first rows are asked for together, so that a distant store is not asked for one after the other. */
const openTogether = 8;

export interface FeedRequest {
  /** Where rows are looked for first; null = all of them. */
  readonly orgId: string | null;
  /** Whose releases are wanted. */
  readonly sources: WantedSources;
  readonly lanes: readonly Lane[];
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly nowMs: number;
  /** Releases without a score drop out when it is set. */
  readonly minImportance: number | null;
  readonly after: FeedPosition | null;
  readonly limit: number;
}

/** A window drops what has no date; without one (from null), the undated are the lowest of all. */
export const windowOf = ({ sinceMs, untilMs }: Pick<FeedRequest, 'sinceMs' | 'untilMs'>) => ({
  from: sinceMs ?? (untilMs === null ? null : 0),
  to: untilMs ?? Number.POSITIVE_INFINITY,
});

/** Dates that have not come are beyond the bound, so a release appears by itself when it is due. */
const boundsOf = (request: FeedRequest) => {
  const { from, to: untilMs } = windowOf(request);
  const to = Math.min(untilMs, dueUntilMs(request.nowMs));
  return from === null ? { to } : { from, to };
};

interface Scope {
  readonly index: 'global' | 'byOrg' | 'bySource';
  readonly equals: Equals;
  readonly after: FeedPosition | null;
  readonly firstChunkRows: number;
}

const importanceIndexes = {
  global: 'globalByImportance',
  byOrg: 'byOrgAndImportance',
  bySource: 'bySourceAndImportance',
} as const;

/** A run for each lane, and where only the important is wanted, for each score that is. */
const openRuns = (feed: ReadModel<FeedRow>, request: FeedRequest, scope: Scope): FeedRun[] => {
  const { lanes, minImportance } = request;
  const { index, equals, after, firstChunkRows } = scope;
  const open = (indexName: string, fixed: Equals) =>
    createIndexRun(feed, {
      index: indexName,
      equals: { ...equals, ...fixed },
      ...boundsOf(request),
      ...(after && { after }),
      firstChunkRows,
    });
  if (minImportance === null) return lanes.map((lane) => open(index, { lane }));
  return lanes.flatMap((lane) =>
    importanceFrom(minImportance).map((importance) => open(importanceIndexes[index], { importance, lane })),
  );
};

/** The whole scope: the rows of others among them. */
export const openScope = (feed: ReadModel<FeedRow>, request: FeedRequest): FeedRun[] => {
  const { orgId, after, limit } = request;
  const firstChunkRows = limit + 1; // hardly ever is one of them not wanted
  return orgId === null
    ? openRuns(feed, request, { index: 'global', equals: {}, after, firstChunkRows })
    : openRuns(feed, request, { index: 'byOrg', equals: { orgId }, after, firstChunkRows });
};

const placeOf = ([publishedMs, fetchedMs, id]: FeedPosition): FeedPlace => ({
  publishedMs,
  fetchedMs,
  idOrder: idOrderOf(id),
});

/**
 * Only the wanted sources, each not before its newest release can be the next row: a page opens about as many sources as
 * it has rows, however many are wanted.
 */
export const openSources = (feed: ReadModel<FeedRow>, request: FeedRequest): OpenMore => {
  const { sources, lanes, minImportance, after, limit } = request;
  const { to, from } = boundsOf(request);
  const isBeyond = after === null || (after[0] !== null && after[0] > to);
  const begin = isBeyond ? placeUpTo(to) : placeOf(after);
  const waiting = sources.newestFirst({ runs: feedRunsOf(lanes, minImportance), from: begin })[Symbol.iterator]();
  let next = waiting.next();
  const firstChunkRows = Math.max(sourceChunkRows, Math.ceil((limit + 1) / sources.count));

  return (before, taken) => {
    const runs: FeedRun[] = [];
    for (let opened = 0; opened < openTogether && !next.done; opened += 1) {
      const newest = next.value;
      if (before !== undefined && compareFeedPlaces(newest, placeOf(positionOf(before))) > 0) break;
      if (from !== undefined && (newest.publishedMs ?? Number.NEGATIVE_INFINITY) < from) break;
      // The catalogue may be a moment behind the rows: what it did not know of yet must not come out of turn.
      const scope = { index: 'bySource' as const, equals: { sourceId: newest.sourceId }, after: taken ?? after };
      runs.push(...openRuns(feed, request, { ...scope, firstChunkRows }));
      next = waiting.next();
    }
    return runs;
  };
};
