import type { InstantsDocument } from '../../projections/instants/instants-document.ts';
import { isCoverageRun, runCodeOf } from '../domain/release/feed/feed-runs.ts';
import { isSuppressedCode } from '../domain/release/feed/lane.ts';

/**
 * Releases of one month that feeds may show, as bare numbers: publishedMs, fetchedMs and the code of the run in turn, by date. Of the
 * undated it is the code of a run, how many lie there and the newest fetchedMs. There are many small ones, where a typed
 * array would be mostly its header.
 */
export type ChunkInstants = readonly number[];

const undatedMonth = '-';
const numbersEach = 3;

type Three = readonly [number, number, number];

const inThrees = (numbers: ChunkInstants): Three[] =>
  Array.from({ length: numbers.length / numbersEach }, (_, at): Three => {
    const from = numbersEach * at;
    return [numbers[from]!, numbers[from + 1]!, numbers[from + 2]!];
  });

/** By the runs they lie in. */
const countUndated = (releases: readonly Three[]): ChunkInstants => {
  const runs = new Map<number, { count: number; newestMs: number }>();
  for (const [code, count, newestMs] of releases) {
    const known = runs.get(code) ?? { count: 0, newestMs: Number.NEGATIVE_INFINITY };
    runs.set(code, { count: known.count + count, newestMs: Math.max(known.newestMs, newestMs) });
  }
  return [...runs].flatMap(([code, { count, newestMs }]) => [code, count, newestMs]);
};

export const chunkInstants = ({ month, releases }: InstantsDocument): ChunkInstants => {
  const shown = releases.filter(([, , laneCode]) => !isSuppressedCode(laneCode));
  if (month === undatedMonth) {
    return countUndated(
      shown.map(([, , laneCode, fetchedMs, , importance]) => [runCodeOf(laneCode, importance), 1, fetchedMs]),
    );
  }
  // In every other month all have a date: it names the month.
  shown.sort(([, a], [, b]) => (a as number) - (b as number));
  // Of exactly that length: an array that grows keeps room for many more.
  const numbers = new Array<number>(shown.length * numbersEach);
  for (const [at, [, publishedMs, laneCode, fetchedMs, , importance]] of shown.entries()) {
    numbers[numbersEach * at] = publishedMs as number;
    numbers[numbersEach * at + 1] = fetchedMs;
    numbers[numbersEach * at + 2] = runCodeOf(laneCode, importance);
  }
  return numbers;
};

/** The chunks of one month as one. */
export const joinChunks = (month: string, chunks: readonly ChunkInstants[]): ChunkInstants => {
  if (chunks.length === 1) return chunks[0]!;
  const releases = chunks.flatMap(inThrees);
  return month === undatedMonth ? countUndated(releases) : releases.sort(([a], [b]) => a - b).flat();
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

/** The counted releases of one source. */
export interface SourceInstants extends RunInstants {
  /** Those that only cover others: in no number, and in the feeds that ask for them. Null where there are none. */
  readonly coverage: RunInstants | null;
}

const noRuns: RunInstants = {
  published: [],
  newestFetched: [],
  runCodes: [],
  undatedCount: 0,
  undatedNewestFetched: null,
  undatedRuns: new Map(),
};

export const noInstants: SourceInstants = { ...noRuns, coverage: null };

const undatedOf = (
  numbers: ChunkInstants,
): Pick<RunInstants, 'undatedCount' | 'undatedNewestFetched' | 'undatedRuns'> => {
  if (numbers.length === 0) return noRuns;
  const runs = inThrees(numbers);
  return {
    undatedCount: runs.reduce((sum, [, count]) => sum + count, 0),
    undatedNewestFetched: Math.max(...runs.map(([, , newestMs]) => newestMs)),
    undatedRuns: new Map(runs.map(([code, , newestMs]) => [code, newestMs])),
  };
};

type Months = ReadonlyMap<string, ChunkInstants>;

/** By the names of the months, which follow each other as they do. */
const joinRuns = (months: Months): RunInstants => {
  const { undatedCount, undatedNewestFetched, undatedRuns } = undatedOf(months.get(undatedMonth) ?? []);
  const dated = [...months.keys()].filter((name) => name !== undatedMonth).sort();
  const count = dated.reduce((sum, name) => sum + months.get(name)!.length / numbersEach, 0);
  const published = new Array<number>(count);
  const newestFetched = new Array<number>(count);
  const runCodes = new Array<number>(count);
  let newest = Number.NEGATIVE_INFINITY;
  let at = 0;
  for (const name of dated) {
    const numbers = months.get(name)!;
    for (let from = 0; from < numbers.length; from += numbersEach) {
      newest = Math.max(newest, numbers[from + 1]!);
      published[at] = numbers[from]!;
      newestFetched[at] = newest;
      runCodes[at] = numbers[from + 2]!;
      at += 1;
    }
  }
  return { published, newestFetched, runCodes, undatedCount, undatedNewestFetched, undatedRuns };
};

const hasCoverage = (month: string, numbers: ChunkInstants): boolean => {
  for (let at = month === undatedMonth ? 0 : 2; at < numbers.length; at += numbersEach) {
    if (isCoverageRun(numbers[at]!)) return true;
  }
  return false;
};

const onlyRuns = (months: Months, isWanted: (code: number) => boolean): Months =>
  new Map(
    [...months].map(([name, numbers]) => [
      name,
      inThrees(numbers)
        .filter((three) => isWanted(three[name === undatedMonth ? 0 : 2]))
        .flat(),
    ]),
  );

export const joinMonths = (months: Months): SourceInstants => {
  // Most sources have no coverage, and theirs need not be taken apart.
  if (![...months].some(([name, numbers]) => hasCoverage(name, numbers)))
    return { ...joinRuns(months), coverage: null };
  return {
    ...joinRuns(onlyRuns(months, (code) => !isCoverageRun(code))),
    coverage: joinRuns(onlyRuns(months, isCoverageRun)),
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
