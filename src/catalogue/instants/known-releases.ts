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

/**
 * The releases of a source in the feed order: those dated up to a moment, the newest first, then the undated; those that only
 * cover others too.
 */
export function* newestReleases({ dated, undated }: SourceInstants, untilMs: number): Generator<CataloguedRelease> {
  for (const piece of dated.toReversed()) {
    for (let at = countOf(piece) - 1; at >= 0; at -= 1) {
      if (piece.numbers[at * numbersEach]! <= untilMs) yield releaseAt(piece, at, true);
    }
  }
  for (const piece of undated.toReversed()) {
    for (let at = countOf(piece) - 1; at >= 0; at -= 1) yield releaseAt(piece, at, false);
  }
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
  [...dated, ...undated].reduce((sum, piece) => sum + countIn(piece, runs, untilMs), 0);

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
