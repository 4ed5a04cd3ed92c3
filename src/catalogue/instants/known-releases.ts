import { type FeedRuns, hasRun, isCoverageRun } from '../../domain/release/feed/feed-runs.ts';
import { type ChunkInstants, numbersEach, type SourceInstants } from './source-instants.ts';

/** What is known here of a release. */
export interface CataloguedRelease {
  readonly publishedMs: number | null;
  readonly fetchedMs: number;
  readonly runCode: number;
  readonly idOrder: number;
  readonly version: string | null;
}

const releaseAt = ({ numbers, versions }: ChunkInstants, at: number, isDated: boolean): CataloguedRelease => {
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
const undatedOrders = new WeakMap<ChunkInstants, readonly number[]>();

const orderOfUndated = (undated: ChunkInstants): readonly number[] => {
  const known = undatedOrders.get(undated);
  if (known !== undefined) return known;
  const { numbers } = undated;
  const order = Array.from({ length: numbers.length / numbersEach }, (_, at) => at).sort((a, b) => {
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
export function* newestReleases({ months, undated }: SourceInstants, untilMs: number): Generator<CataloguedRelease> {
  for (let month = months.length - 1; month >= 0; month -= 1) {
    const chunk = months[month]!;
    for (let at = chunk.numbers.length / numbersEach - 1; at >= 0; at -= 1) {
      if (chunk.numbers[at * numbersEach]! <= untilMs) yield releaseAt(chunk, at, true);
    }
  }
  for (const at of orderOfUndated(undated)) yield releaseAt(undated, at, false);
}

const countIn = ({ numbers }: ChunkInstants, runs: FeedRuns, untilMs: number): number => {
  let count = 0;
  for (let from = 0; from < numbers.length; from += numbersEach) {
    if (numbers[from]! <= untilMs && hasRun(runs, numbers[from + 2]!)) count += 1;
  }
  return count;
};

/** How many there are in some runs, dated up to a moment or not at all. */
export const countReleases = ({ months, undated }: SourceInstants, runs: FeedRuns, untilMs: number): number =>
  months.reduce((sum, month) => sum + countIn(month, runs, untilMs), countIn(undated, runs, untilMs));

export interface DatedRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The counted releases of a source that are dated in a range, both ends included, the oldest first in the feed order. */
export const eachCountedIn = (
  { months }: SourceInstants,
  { fromMs, toMs }: DatedRange,
  visit: (publishedMs: number, runCode: number, version: string | null) => void,
): void => {
  for (const { numbers, versions } of months) {
    const lastMs = numbers[numbers.length - numbersEach]!;
    if (lastMs < fromMs) continue;
    if (numbers[0]! > toMs) return;
    for (let from = 0; from < numbers.length; from += numbersEach) {
      const publishedMs = numbers[from]!;
      const runCode = numbers[from + 2]!;
      if (publishedMs < fromMs || publishedMs > toMs || isCoverageRun(runCode)) continue;
      visit(publishedMs, runCode, versions[from / numbersEach] ?? null);
    }
  }
};
