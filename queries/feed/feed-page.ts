import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { Lane } from '../../src/domain/release/lane.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import type { ReadModel } from '../../src/ports/read-models.ts';
import { createIndexRun, type FeedPosition, type FeedRun, mergeRuns, positionOf } from './feed-run.ts';

/** More sources than this are not merged from their own indexes: each costs a query or two. */
const mergeSourcesMax = 200;
/** Rows of other sources that are stepped over before merging is tried. */
const strangersMax = 400;
const scanChunkRows = 32;
const mergeChunkRows = 4;

export interface FeedRequest {
  /** Where rows are looked for first; null = all of them. */
  readonly orgId: string | null;
  /** Whose releases are wanted. */
  readonly sources: ReadonlySet<string>;
  readonly lanes: readonly Lane[];
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly nowMs: number;
  /** A further condition on a row. */
  readonly accepts?: (row: FeedRow) => boolean;
  readonly after: FeedPosition | null;
  readonly limit: number;
}

export interface FeedPage {
  readonly rows: readonly FeedRow[];
  /** Null exactly when nothing follows. */
  readonly next: FeedPosition | null;
}

/** Dates that have not come are beyond the bound, so a release appears by itself when it is due. */
const boundsOf = ({ sinceMs, untilMs, nowMs }: FeedRequest) => {
  const to = Math.min(untilMs ?? Number.POSITIVE_INFINITY, dueUntilMs(nowMs));
  // A window drops what has no date; without one, the undated are the lowest of the run.
  const from = sinceMs ?? (untilMs === null ? null : 0);
  return from === null ? { to } : { from, to };
};

const scanScope = (feed: ReadModel<FeedRow>, request: FeedRequest): FeedRun => {
  const { orgId, lanes, after, limit } = request;
  const scope = orgId === null ? { index: 'global', equals: {} } : { index: 'byOrg', equals: { orgId } };
  const runs = lanes.map((lane) =>
    createIndexRun(feed, {
      index: scope.index,
      equals: { ...scope.equals, lane },
      ...boundsOf(request),
      ...(after && { after }),
      firstChunkRows: Math.max(scanChunkRows, limit + 1),
    }),
  );
  return mergeRuns(runs);
};

const mergeSources = (feed: ReadModel<FeedRow>, request: FeedRequest): FeedRun => {
  const { sources, lanes, after, limit } = request;
  const firstChunkRows = Math.max(mergeChunkRows, Math.ceil((limit + 1) / sources.size));
  const runs = [...sources].flatMap((sourceId) =>
    lanes.map((lane) =>
      createIndexRun(feed, {
        index: 'bySource',
        equals: { sourceId, lane },
        ...boundsOf(request),
        ...(after && { after }),
        firstChunkRows,
      }),
    ),
  );
  return mergeRuns(runs);
};

type Stop = { readonly why: 'full' | 'end' } | { readonly why: 'strangers'; readonly after: FeedPosition };

interface Collecting {
  readonly run: FeedRun;
  readonly request: FeedRequest;
  readonly found: FeedRow[];
  /** Rows of other sources after which it gives up; absent = never. */
  readonly strangersLimit?: number;
}

/** One row more than asked for tells whether a page follows. */
const collect = async ({ run, request, found, strangersLimit }: Collecting): Promise<Stop> => {
  const { sources, accepts, limit } = request;
  let strangers = 0;
  for (;;) {
    const reading = run.ready();
    if (reading !== undefined) await reading;
    const row = run.peek();
    if (row === undefined) return { why: 'end' };
    run.take();
    if (!sources.has(row.sourceId)) {
      strangers += 1;
      if (strangers === strangersLimit) return { why: 'strangers', after: positionOf(row) };
    } else if (accepts === undefined || accepts(row)) {
      found.push(row);
      if (found.length > limit) return { why: 'full' };
    }
  }
};

const search = async (feed: ReadModel<FeedRow>, request: FeedRequest): Promise<FeedRow[]> => {
  const { sources, lanes, limit } = request;
  const found: FeedRow[] = [];
  if (sources.size === 0 || lanes.length === 0) return found;
  if (sources.size === 1) {
    await collect({ run: mergeSources(feed, request), request, found });
    return found;
  }
  const giveUp = sources.size <= mergeSourcesMax && { strangersLimit: strangersMax };
  const stop = await collect({ run: scanScope(feed, request), request, found, ...giveUp });
  if (stop.why === 'strangers') {
    const rest = mergeSources(feed, { ...request, after: stop.after, limit: limit - found.length });
    await collect({ run: rest, request, found });
  }
  return found;
};

/**
 * One page of releases in the feed order. Rows carry nothing about their parents, so the scope is read and what is not
 * wanted is stepped over; where that finds little, the wanted sources are merged from their own indexes.
 */
export const feedPage = async (feed: ReadModel<FeedRow>, request: FeedRequest): Promise<FeedPage> => {
  const found = await search(feed, request);
  const rows = found.slice(0, request.limit);
  const last = rows.at(-1);
  return { rows, next: found.length > request.limit && last !== undefined ? positionOf(last) : null };
};
