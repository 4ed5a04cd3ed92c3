import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { IndexQuery, ReadModel } from '../../src/ports/read-models.ts';

const chunkRowsMax = 256;

/** The place of a row in the feed order. */
export type FeedPosition = readonly [publishedMs: number | null, fetchedMs: number, id: string];

export const positionOf = ({ publishedMs, fetchedMs, id }: FeedRow): FeedPosition => [publishedMs, fetchedMs, id];

/** Dated before undated, newest first, then by when it was indexed, then by id (contract 2.4). */
export const compareFeedOrder = (a: FeedRow, b: FeedRow): number => {
  if (a.publishedMs !== b.publishedMs) {
    if (a.publishedMs === null) return 1;
    return b.publishedMs === null ? -1 : b.publishedMs - a.publishedMs;
  }
  if (a.fetchedMs !== b.fetchedMs) return b.fetchedMs - a.fetchedMs;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
};

/** Rows in the feed order, read in steps as they are asked for. */
export interface FeedRun {
  /** The next row without taking it; undefined at the end. */
  readonly peek: () => FeedRow | undefined;
  readonly take: () => void;
  /** Reads on when nothing is at hand. Must be awaited before `peek`. */
  readonly ready: () => Promise<void> | undefined;
}

export interface RunOptions extends Omit<IndexQuery, 'direction' | 'limit'> {
  readonly firstChunkRows: number;
}

/** Through one lane of one scope. */
export const createIndexRun = (feed: ReadModel<FeedRow>, { firstChunkRows, ...query }: RunOptions): FeedRun => {
  let rows: FeedRow[] = [];
  let at = 0;
  let after = query.after;
  let chunkRows = Math.min(firstChunkRows, chunkRowsMax);
  let ended = false;

  const readOn = async () => {
    rows = await feed.query({ ...query, ...(after && { after }), direction: 'descending', limit: chunkRows });
    at = 0;
    ended = rows.length < chunkRows;
    chunkRows = Math.min(chunkRows * 2, chunkRowsMax);
    const last = rows.at(-1);
    if (last !== undefined) after = positionOf(last);
  };

  return {
    peek: () => rows[at],
    take: () => {
      at += 1;
    },
    ready: () => (at < rows.length || ended ? undefined : readOn()),
  };
};

/** Several runs as one. */
export const mergeRuns = (runs: readonly FeedRun[]): FeedRun => {
  const [only] = runs;
  if (only !== undefined && runs.length === 1) return only;

  let next: FeedRun | undefined;
  const choose = () => {
    next = undefined;
    let newest: FeedRow | undefined;
    for (const run of runs) {
      const row = run.peek();
      if (row === undefined || (newest !== undefined && compareFeedOrder(newest, row) <= 0)) continue;
      newest = row;
      next = run;
    }
  };
  // Only the run that was taken from can have nothing at hand; before the first row, all of them.
  let unread: readonly FeedRun[] = runs;

  return {
    peek: () => next?.peek(),
    take: () => {
      next?.take();
      unread = next === undefined ? [] : [next];
    },
    ready: () => {
      const reading = unread.flatMap((run) => run.ready() ?? []);
      unread = [];
      if (reading.length > 0) return Promise.all(reading).then(choose);
      choose();
      return undefined;
    },
  };
};
