import { type FeedRuns, hasRun, isCoverageRun } from '../../domain/release/feed/feed-runs.ts';
import { countOf, firstMsOf, lastMsOf, numbersEach, type PackedReleases } from './packed-releases.ts';
import type { SourceInstants } from './source-instants.ts';

/** What is known here of a release. */
export interface CataloguedRelease {
  readonly publishedMs: number | null;
  readonly fetchedMs: number;
  readonly runCode: number;
  readonly idOrder: number;
  readonly version: string | null;
}

const releaseAt = ({ numbers, versions }: PackedReleases, at: number, isDated: boolean): CataloguedRelease => {
  const from = at * numbersEach;
  return {
    publishedMs: isDated ? numbers[from]! : null,
    fetchedMs: numbers[from + 1]!,
    runCode: numbers[from + 2]!,
    idOrder: numbers[from + 3]!,
    version: versions[at] ?? null,
  };
};

/** Whoever goes from page to page, or shows one, asks again before any of them changes. */
const undatedOrders = new WeakMap<PackedReleases, readonly number[]>();

const orderOfUndated = (undated: PackedReleases): readonly number[] => {
  const known = undatedOrders.get(undated);
  if (known !== undefined) return known;
  const { numbers } = undated;
  const order = Array.from({ length: countOf(undated) }, (_, at) => at).sort((a, b) => {
    const [ofA, ofB] = [a * numbersEach, b * numbersEach];
    return numbers[ofB + 1]! - numbers[ofA + 1]! || numbers[ofB + 3]! - numbers[ofA + 3]!;
  });
  undatedOrders.set(undated, order);
  return order;
};

/**
 * The releases of a source in the feed order: those dated up to a moment, the newest first, then the undated; those that only
 * cover others too.
 */
export function* newestReleases({ dated, undated }: SourceInstants, untilMs: number): Generator<CataloguedRelease> {
  for (let number = dated.length - 1; number >= 0; number -= 1) {
    const piece = dated[number]!;
    for (let at = countOf(piece) - 1; at >= 0; at -= 1) {
      if (piece.numbers[at * numbersEach]! <= untilMs) yield releaseAt(piece, at, true);
    }
  }
  for (const at of orderOfUndated(undated)) yield releaseAt(undated, at, false);
}

const countIn = ({ numbers }: PackedReleases, runs: FeedRuns, untilMs: number): number => {
  let count = 0;
  for (let from = 0; from < numbers.length; from += numbersEach) {
    if (numbers[from]! <= untilMs && hasRun(runs, numbers[from + 2]!)) count += 1;
  }
  return count;
};

/** How many there are in some runs, dated up to a moment or not at all. */
export const countReleases = ({ dated, undated }: SourceInstants, runs: FeedRuns, untilMs: number): number =>
  dated.reduce((sum, piece) => sum + countIn(piece, runs, untilMs), countIn(undated, runs, untilMs));

export interface DatedRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The counted releases of a source that are dated in a range, both ends included, the oldest first in the feed order. */
export const eachCountedIn = (
  { dated }: SourceInstants,
  { fromMs, toMs }: DatedRange,
  visit: (publishedMs: number, runCode: number, version: string | null) => void,
): void => {
  for (const piece of dated) {
    if (lastMsOf(piece) < fromMs) continue;
    if (firstMsOf(piece) > toMs) return;
    const { numbers, versions } = piece;
    for (let from = 0; from < numbers.length; from += numbersEach) {
      const publishedMs = numbers[from]!;
      const runCode = numbers[from + 2]!;
      if (publishedMs < fromMs || publishedMs > toMs || isCoverageRun(runCode)) continue;
      visit(publishedMs, runCode, versions[from / numbersEach] ?? null);
    }
  }
};
