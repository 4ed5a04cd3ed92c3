import { type FeedRuns, hasRun } from '../../domain/release/feed/feed-runs.ts';
import { compareFeedMoments, type FeedMoment } from '../../domain/release/feed/feed-order.ts';
import { countOf, numbersEach, type PackedReleases } from './packed-releases.ts';
import type { ReleasePieces } from './release-pieces.ts';
import type { SourceInstants } from './source-instants.ts';

/** Where a release stands in a feed, as far as the catalogue tells: of its id it knows the beginning. */
export interface FeedPlace extends FeedMoment {
  readonly idOrder: number;
}

/** By their moments, then by id (contract 2.4). */
export const compareFeedPlaces = (a: FeedPlace, b: FeedPlace): number =>
  compareFeedMoments(a, b) || b.idOrder - a.idOrder;

/** A source, and a place before which no release of it stands. */
export interface NewestOfSource extends FeedPlace {
  readonly sourceId: string;
}

/** What of a source a feed shows. */
export interface WantedReleases {
  readonly runs: FeedRuns;
  /** What comes before it in the feed is not wanted. */
  readonly from: FeedPlace;
}

/** Before all that are dated up to a moment, and those that have no date; null = before these only. */
export const placeUpTo = (untilMs: number | null): FeedPlace => ({
  publishedMs: untilMs,
  fetchedMs: Number.POSITIVE_INFINITY,
  idOrder: Number.POSITIVE_INFINITY,
});

/** Whether a release does; it has a date where the place has one. */
const comesBefore = (
  numbers: readonly number[],
  at: number,
  { publishedMs, fetchedMs, idOrder }: FeedPlace,
): boolean => {
  const first = at * numbersEach;
  if (publishedMs !== null && numbers[first] !== publishedMs) return numbers[first]! > publishedMs;
  return numbers[first + 1] === fetchedMs ? numbers[first + 3]! > idOrder : numbers[first + 1]! > fetchedMs;
};

const placeAt = (numbers: readonly number[], at: number, isDated: boolean): FeedPlace => {
  const first = at * numbersEach;
  return {
    publishedMs: isDated ? numbers[first]! : null,
    fetchedMs: numbers[first + 1]!,
    idOrder: numbers[first + 3]!,
  };
};

/** How many of the oldest in a piece do not come before that place. */
const countFrom = (piece: PackedReleases, from: FeedPlace): number => {
  const { numbers } = piece;
  let low = 0;
  let high = countOf(piece);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(numbers, middle, from)) high = middle;
    else low = middle + 1;
  }
  return low;
};

const newestIn = (pieces: ReleasePieces, { runs, from }: WantedReleases, isDated: boolean): FeedPlace | undefined => {
  for (let number = pieces.length - 1; number >= 0; number -= 1) {
    const piece = pieces[number]!;
    const { numbers } = piece;
    for (let at = countFrom(piece, from) - 1; at >= 0; at -= 1) {
      if (hasRun(runs, numbers[at * numbersEach + 2]!)) return placeAt(numbers, at, isDated);
    }
  }
  return undefined;
};

/** Undefined: there is nothing. */
export const newestOfSource = (
  sourceId: string,
  { dated, undated }: SourceInstants,
  wanted: WantedReleases,
): NewestOfSource | undefined => {
  const isOfUndated = wanted.from.publishedMs === null;
  const newestWithDate = isOfUndated ? undefined : newestIn(dated, wanted, true);
  const newest =
    newestWithDate ?? newestIn(undated, isOfUndated ? wanted : { ...wanted, from: placeUpTo(null) }, false);
  return newest && { sourceId, ...newest };
};
