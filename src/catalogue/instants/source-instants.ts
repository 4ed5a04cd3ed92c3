import { isCoverageRun } from '../../domain/release/feed/feed-runs.ts';
import { countOf, numbersEach } from './packed-releases.ts';
import { noPieces, type ReleasePieces } from './release-pieces.ts';

/**
 * Some releases of one source, future ones included: a number looks only as far as its moment. Most sources have so few
 * that typed arrays of them would be mostly headers, far apart in memory.
 */
export interface RunInstants {
  /** Ascending. */
  readonly published: readonly number[];
  /** The newest `fetchedMs` up to and including each one. */
  readonly newestFetched: readonly number[];
  /** Which run of a feed each one lies in. */
  readonly runCodes: readonly number[];
  readonly undatedCount: number;
  readonly undatedNewestFetched: number | null;
  /** The codes of the runs of the undated. */
  readonly undatedRuns: ReadonlySet<number>;
}

/** The counted releases of one source. */
export interface SourceInstants extends RunInstants {
  /** Those that only cover others: in no number, and in the feeds that ask for them. Null where there are none. */
  readonly coverage: RunInstants | null;
  /** All with a date that feeds may show, what only covers others too. */
  readonly dated: ReleasePieces;
  readonly undated: ReleasePieces;
}

type UndatedRuns = Pick<RunInstants, 'undatedCount' | 'undatedNewestFetched' | 'undatedRuns'>;

const noUndatedRuns: UndatedRuns = { undatedCount: 0, undatedNewestFetched: null, undatedRuns: new Set() };

const noRuns: RunInstants = { published: [], newestFetched: [], runCodes: [], ...noUndatedRuns };

export const noInstants: SourceInstants = { ...noRuns, coverage: null, dated: noPieces, undated: noPieces };

const undatedOf = (undated: ReleasePieces, isWanted: (code: number) => boolean): UndatedRuns => {
  const undatedRuns = new Set<number>();
  let undatedCount = 0;
  let undatedNewestFetched = Number.NEGATIVE_INFINITY;
  for (const { numbers } of undated) {
    for (let from = 0; from < numbers.length; from += numbersEach) {
      const [fetchedMs, code] = [numbers[from + 1]!, numbers[from + 2]!];
      if (!isWanted(code)) continue;
      undatedCount += 1;
      undatedRuns.add(code);
      undatedNewestFetched = Math.max(undatedNewestFetched, fetchedMs);
    }
  }
  if (undatedCount === 0) return noUndatedRuns;
  return { undatedCount, undatedNewestFetched, undatedRuns };
};

type Parts = Pick<SourceInstants, 'dated' | 'undated'>;

/** Of the runs that are wanted. */
const joinRuns = ({ dated, undated }: Parts, isWanted: (code: number) => boolean): RunInstants => {
  let count = 0;
  for (const { numbers } of dated) {
    for (let from = 0; from < numbers.length; from += numbersEach) if (isWanted(numbers[from + 2]!)) count += 1;
  }
  const published = new Array<number>(count);
  const newestFetched = new Array<number>(count);
  const runCodes = new Array<number>(count);
  let newest = Number.NEGATIVE_INFINITY;
  let at = 0;
  for (const { numbers } of dated) {
    for (let from = 0; from < numbers.length; from += numbersEach) {
      const code = numbers[from + 2]!;
      if (!isWanted(code)) continue;
      newest = Math.max(newest, numbers[from + 1]!);
      published[at] = numbers[from]!;
      newestFetched[at] = newest;
      runCodes[at] = code;
      at += 1;
    }
  }
  return { published, newestFetched, runCodes, ...undatedOf(undated, isWanted) };
};

const hasCoverage = ({ dated, undated }: Parts): boolean =>
  [...dated, ...undated].some(({ numbers }) => {
    for (let at = 2; at < numbers.length; at += numbersEach) if (isCoverageRun(numbers[at]!)) return true;
    return false;
  });

/** What is known of a source with these releases. */
export const instantsWith = (dated: ReleasePieces, undated: ReleasePieces): SourceInstants => {
  const parts = { dated, undated };
  if (sizeOf(parts) === 0) return noInstants;
  return {
    ...joinRuns(parts, (code) => !isCoverageRun(code)),
    coverage: hasCoverage(parts) ? joinRuns(parts, isCoverageRun) : null,
    ...parts,
  };
};

/** How many feeds may show. */
export const sizeOf = ({ dated, undated }: Parts): number =>
  [...dated, ...undated].reduce((sum, piece) => sum + countOf(piece), 0);

/** How many of the ascending values are at most `ms`. */
export const countUpTo = (ascending: readonly number[], ms: number): number => {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
};
