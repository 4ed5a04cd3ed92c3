import type { InstantsDocument } from '../../projections/instants/instants-document.ts';
import { isCoverageRun, runCodeOf } from '../domain/release/feed/feed-runs.ts';
import { isSuppressedCode } from '../domain/release/feed/lane.ts';
import { idOrderOf } from './id-order.ts';

/**
 * Releases of one month that feeds may show. Of the undated, `numbers` has the code of a run, how many lie there and the
 * newest fetchedMs in turn; of all others publishedMs, fetchedMs, the code of the run and the order of the id, the oldest
 * first. There are many small ones, where typed arrays would be mostly their headers.
 */
export interface ChunkInstants {
  readonly numbers: readonly number[];
  /** Of each dated release; none at all where no release has one. */
  readonly versions: readonly (string | null)[];
}

const undatedMonth = '-';
const undatedNumbersEach = 3;
export const numbersEach = 4;

const noVersions: ChunkInstants['versions'] = [];

type UndatedRun = readonly [code: number, count: number, newestMs: number];

const undatedRunsIn = ({ numbers }: ChunkInstants): UndatedRun[] =>
  Array.from({ length: numbers.length / undatedNumbersEach }, (_, at): UndatedRun => {
    const from = undatedNumbersEach * at;
    return [numbers[from]!, numbers[from + 1]!, numbers[from + 2]!];
  });

/** By the runs they lie in. */
const countUndated = (releases: readonly UndatedRun[]): ChunkInstants => {
  const runs = new Map<number, { count: number; newestMs: number }>();
  for (const [code, count, newestMs] of releases) {
    const known = runs.get(code) ?? { count: 0, newestMs: Number.NEGATIVE_INFINITY };
    runs.set(code, { count: known.count + count, newestMs: Math.max(known.newestMs, newestMs) });
  }
  const numbers = [...runs].flatMap(([code, { count, newestMs }]) => [code, count, newestMs]);
  return { numbers, versions: noVersions };
};

/** In the feed order, but the oldest first. */
const sortDated = ({ numbers, versions }: ChunkInstants): ChunkInstants => {
  const count = numbers.length / numbersEach;
  const order = Array.from({ length: count }, (_, at) => at).sort((a, b) => {
    const [ofA, ofB] = [a * numbersEach, b * numbersEach];
    return (
      numbers[ofA]! - numbers[ofB]! || numbers[ofA + 1]! - numbers[ofB + 1]! || numbers[ofA + 3]! - numbers[ofB + 3]!
    );
  });
  // Of exactly that length: an array that grows keeps room for many more.
  const sorted = new Array<number>(numbers.length);
  for (let at = 0; at < count; at += 1) {
    for (let each = 0; each < numbersEach; each += 1) {
      sorted[at * numbersEach + each] = numbers[order[at]! * numbersEach + each]!;
    }
  }
  const hasVersions = versions.some((version) => version !== null);
  return { numbers: sorted, versions: hasVersions ? order.map((at) => versions[at]!) : noVersions };
};

export const chunkInstants = ({ month, releases }: InstantsDocument): ChunkInstants => {
  const shown = releases.filter(([, , laneCode]) => !isSuppressedCode(laneCode));
  if (month === undatedMonth) {
    return countUndated(
      shown.map(([, , laneCode, fetchedMs, , importance]) => [runCodeOf(laneCode, importance), 1, fetchedMs]),
    );
  }
  return sortDated({
    // In every other month all have a date: it names the month.
    numbers: shown.flatMap(([id, publishedMs, laneCode, fetchedMs, , importance]) => [
      publishedMs as number,
      fetchedMs,
      runCodeOf(laneCode, importance),
      idOrderOf(id),
    ]),
    versions: shown.map((release) => release[6]),
  });
};

const versionsOf = ({ numbers, versions }: ChunkInstants): ChunkInstants['versions'] =>
  versions.length > 0 ? versions : new Array<null>(numbers.length / numbersEach).fill(null);

/** The chunks of one month as one. */
export const joinChunks = (month: string, chunks: readonly ChunkInstants[]): ChunkInstants => {
  if (chunks.length === 1) return chunks[0]!;
  if (month === undatedMonth) return countUndated(chunks.flatMap(undatedRunsIn));
  return sortDated({
    numbers: chunks.flatMap(({ numbers }) => numbers),
    versions: chunks.flatMap(versionsOf),
  });
};

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
  /** The newest `fetchedMs` of the undated, by the codes of their runs. */
  readonly undatedRuns: ReadonlyMap<number, number>;
}

/** How many undated releases lie in each run. */
export type UndatedCounts = ReadonlyMap<number, number>;

/** The counted releases of one source. */
export interface SourceInstants extends RunInstants {
  /** Those that only cover others: in no number, and in the feeds that ask for them. Null where there are none. */
  readonly coverage: RunInstants | null;
  /** All that feeds may show, what only covers others too: the months with dated releases, the oldest first. */
  readonly months: readonly ChunkInstants[];
  readonly undatedCounts: UndatedCounts;
}

type UndatedRuns = Pick<RunInstants, 'undatedCount' | 'undatedNewestFetched' | 'undatedRuns'>;

const noUndatedRuns: UndatedRuns = { undatedCount: 0, undatedNewestFetched: null, undatedRuns: new Map() };

const noRuns: RunInstants = { published: [], newestFetched: [], runCodes: [], ...noUndatedRuns };

export const noInstants: SourceInstants = { ...noRuns, coverage: null, months: [], undatedCounts: new Map() };

const undatedOf = (runs: readonly UndatedRun[]): UndatedRuns => {
  if (runs.length === 0) return noUndatedRuns;
  return {
    undatedCount: runs.reduce((sum, [, count]) => sum + count, 0),
    undatedNewestFetched: Math.max(...runs.map(([, , newestMs]) => newestMs)),
    undatedRuns: new Map(runs.map(([code, , newestMs]) => [code, newestMs])),
  };
};

type Months = ReadonlyMap<string, ChunkInstants>;

interface Parts {
  readonly dated: readonly ChunkInstants[];
  readonly undated: readonly UndatedRun[];
}

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
  return { published, newestFetched, runCodes, ...undatedOf(undated.filter(([code]) => isWanted(code))) };
};

const hasCoverage = ({ dated, undated }: Parts): boolean => {
  for (const { numbers } of dated) {
    for (let at = 2; at < numbers.length; at += numbersEach) if (isCoverageRun(numbers[at]!)) return true;
  }
  return undated.some(([code]) => isCoverageRun(code));
};

const noUndated: ChunkInstants = { numbers: [], versions: noVersions };

/** By the names of the months, which follow each other as they do. */
export const joinMonths = (months: Months): SourceInstants => {
  const names = [...months.keys()].filter((name) => name !== undatedMonth).sort();
  const dated = names.map((name) => months.get(name)!).filter(({ numbers }) => numbers.length > 0);
  const undated = undatedRunsIn(months.get(undatedMonth) ?? noUndated);
  const parts = { dated, undated };
  return {
    ...joinRuns(parts, (code) => !isCoverageRun(code)),
    coverage: hasCoverage(parts) ? joinRuns(parts, isCoverageRun) : null,
    months: dated,
    undatedCounts: undated.length === 0 ? noInstants.undatedCounts : new Map(undated.map(([code, n]) => [code, n])),
  };
};

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
