import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import { compareFeedMoments } from '../../src/domain/release/feed/feed-order.ts';
import type { IndexQuery, ReadModel } from '../../src/ports/read-models.ts';

const chunkRowsMax = 256;

/** The place of a row in the feed order. */
export type FeedPosition = readonly [publishedMs: number | null, fetchedMs: number, id: string];

export const positionOf = ({ publishedMs, fetchedMs, id }: FeedRow): FeedPosition => [publishedMs, fetchedMs, id];

type Placed = Pick<FeedRow, 'publishedMs' | 'fetchedMs' | 'id'>;

/** By their moments, then by id (contract 2.4). */
export const compareFeedOrder = (a: Placed, b: Placed): number =>
  compareFeedMoments(a, b) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** Positive when the row comes after that place. */
export const compareToPosition = (row: Placed, [publishedMs, fetchedMs, id]: FeedPosition): number =>
  compareFeedOrder(row, { publishedMs, fetchedMs, id });

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

/**
 * Opens further runs that may hold something before that row, or anything at all when there is no row; none when there
 * are no such. What they begin with comes after the last row that was taken.
 */
export type OpenMore = (before: FeedRow | undefined, taken: FeedPosition | null) => readonly FeedRun[];

/** Several runs as one. */
export const mergeRuns = (first: readonly FeedRun[], openMore: OpenMore = () => []): FeedRun => {
  const runs = [...first];
  let next: FeedRun | undefined;
  let taken: FeedPosition | null = null;
  // Only the run that was taken from can have nothing at hand; before the first row, all of them.
  let unread: readonly FeedRun[] = first;

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

  const ready = (): Promise<void> | undefined => {
    const reading: Promise<void>[] = [];
    for (const run of unread) {
      const read = run.ready();
      if (read !== undefined) reading.push(read);
    }
    unread = [];
    if (reading.length === 1) return reading[0]!.then(ready);
    if (reading.length > 1) return Promise.all(reading).then(ready);
    choose();
    const opened = openMore(next?.peek(), taken);
    if (opened.length === 0) return undefined;
    runs.push(...opened);
    unread = opened;
    return ready();
  };

  return {
    peek: () => next?.peek(),
    take: () => {
      const row = next?.peek();
      if (next === undefined || row === undefined) return;
      taken = positionOf(row);
      next.take();
      unread = [next];
    },
    ready,
  };
};
