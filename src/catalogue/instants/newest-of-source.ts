import { type FeedRuns, hasRun } from '../../domain/release/feed/feed-runs.ts';
import { compareFeedMoments, type FeedMoment } from '../../domain/release/feed/feed-order.ts';
import { countOf, numbersEach, type PackedReleases } from './packed-releases.ts';
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

const newestDated = (dated: readonly PackedReleases[], { runs, from }: WantedReleases): FeedPlace | undefined => {
  for (let number = dated.length - 1; number >= 0; number -= 1) {
    const piece = dated[number]!;
    const { numbers } = piece;
    for (let at = countFrom(piece, from) - 1; at >= 0; at -= 1) {
      if (hasRun(runs, numbers[at * numbersEach + 2]!)) return placeAt(numbers, at, true);
    }
  }
  return undefined;
};

/** They are in no order, and putting them in one after each new release would take longer than a look at all of them. */
const newestUndated = (undated: PackedReleases, { runs, from }: WantedReleases): FeedPlace | undefined => {
  const { numbers } = undated;
  let newest: FeedPlace | undefined;
  const end = from.publishedMs === null ? from : placeUpTo(null);
  for (let at = 0; at < countOf(undated); at += 1) {
    if (!hasRun(runs, numbers[at * numbersEach + 2]!) || comesBefore(numbers, at, end)) continue;
    if (newest === undefined || comesBefore(numbers, at, newest)) newest = placeAt(numbers, at, false);
  }
  return newest;
};

/** Undefined: there is nothing. */
export const newestOfSource = (
  sourceId: string,
  { dated, undated }: SourceInstants,
  wanted: WantedReleases,
): NewestOfSource | undefined => {
  const newestWithDate = wanted.from.publishedMs === null ? undefined : newestDated(dated, wanted);
  const newest = newestWithDate ?? newestUndated(undated, wanted);
  return newest && { sourceId, ...newest };
};
