import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { ReadModel } from '../../src/ports/read-models.ts';
import { type FeedPosition, type FeedRun, mergeRuns, positionOf } from './feed-run.ts';
import { type FeedRequest, openScope, openSources } from './feed-scope.ts';

/**
 * Rows of other sources that are stepped over before the wanted ones are read from their own indexes: about what opening
 * those of a page costs.
 */
const strangersMax = 128;

export interface FeedPage {
  readonly rows: readonly FeedRow[];
  /** Null exactly when nothing follows. */
  readonly next: FeedPosition | null;
}

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
  const { sources, limit } = request;
  let strangers = 0;
  for (;;) {
    const reading = run.ready();
    if (reading !== undefined) await reading;
    const row = run.peek();
    if (row === undefined) return { why: 'end' };
    run.take();
    if (sources.has(row.sourceId)) {
      found.push(row);
      if (found.length > limit) return { why: 'full' };
    } else {
      strangers += 1;
      if (strangers === strangersLimit) return { why: 'strangers', after: positionOf(row) };
    }
  }
};

const search = async (feed: ReadModel<FeedRow>, request: FeedRequest): Promise<FeedRow[]> => {
  const { sources, lanes, limit } = request;
  const found: FeedRow[] = [];
  const count = sources.count;
  if (count === 0 || lanes.length === 0) return found;
  const collectSources = (from: FeedRequest) =>
    collect({ run: mergeRuns([], openSources(feed, from)), request, found });
  if (count === 1) {
    await collectSources(request);
    return found;
  }
  const run = mergeRuns(openScope(feed, request));
  const stop = await collect({ run, request, found, strangersLimit: strangersMax });
  if (stop.why === 'strangers') {
    await collectSources({ ...request, after: stop.after, limit: limit - found.length });
  }
  return found;
};

/**
 * One page of releases in the feed order. Rows carry nothing about their parents, so the scope is read and what is not
 * wanted is stepped over; where that finds little, the wanted sources are read from their own indexes, newest first.
 */
export const feedPage = async (feed: ReadModel<FeedRow>, request: FeedRequest): Promise<FeedPage> => {
  const found = await search(feed, request);
  const rows = found.slice(0, request.limit);
  const last = rows.at(-1);
  return { rows, next: found.length > request.limit && last !== undefined ? positionOf(last) : null };
};
