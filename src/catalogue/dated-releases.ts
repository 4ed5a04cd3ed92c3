import { isCoverageRun } from '../domain/release/feed/feed-runs.ts';
import { numbersEach, type SourceInstants } from './source-instants.ts';

/** What is known here of a dated release. */
export interface DatedRelease {
  readonly publishedMs: number;
  readonly fetchedMs: number;
  readonly runCode: number;
  readonly idOrder: number;
  readonly version: string | null;
}

/** The dated releases of a source up to a moment in the feed order, the newest first; those that only cover others too. */
export function* newestDated({ months }: SourceInstants, untilMs: number): Generator<DatedRelease> {
  for (let month = months.length - 1; month >= 0; month -= 1) {
    const { numbers, versions } = months[month]!;
    for (let at = numbers.length / numbersEach - 1; at >= 0; at -= 1) {
      const from = at * numbersEach;
      if (numbers[from]! > untilMs) continue;
      yield {
        publishedMs: numbers[from]!,
        fetchedMs: numbers[from + 1]!,
        runCode: numbers[from + 2]!,
        idOrder: numbers[from + 3]!,
        version: versions[at] ?? null,
      };
    }
  }
}

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
