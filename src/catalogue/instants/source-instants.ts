import { type Instant, type InstantsDocument, undatedMonth } from '../../../projections/instants/instants-document.ts';
import { isCoverageRun, runCodeOf } from '../../domain/release/feed/feed-runs.ts';
import { isSuppressedCode } from '../../domain/release/feed/lane.ts';
import { idOrderOf } from './id-order.ts';

/**
 * Releases of one month that feeds may show: publishedMs, fetchedMs, the code of the run and the order of the id in turn, the
 * oldest first. The undated have 0 for a date and are in no order: of those there is no end, and each new one would put all
 * in order again. There are many small ones, where typed arrays would be mostly their headers.
 */
export interface ChunkInstants {
  readonly numbers: readonly number[];
  /** Of each release; none at all where no release has one. */
  readonly versions: readonly (string | null)[];
}

export const numbersEach = 4;

const noVersions: ChunkInstants['versions'] = [];

/** Which of two comes first in the feed order, but the oldest first. */
const compareAt = (numbers: readonly number[], a: number, b: number): number => {
  const [ofA, ofB] = [a * numbersEach, b * numbersEach];
  return (
    numbers[ofA]! - numbers[ofB]! || numbers[ofA + 1]! - numbers[ofB + 1]! || numbers[ofA + 3]! - numbers[ofB + 3]!
  );
};

const isSorted = (numbers: readonly number[], count: number): boolean => {
  for (let at = 1; at < count; at += 1) if (compareAt(numbers, at - 1, at) > 0) return false;
  return true;
};

const sortDated = (chunk: ChunkInstants): ChunkInstants => {
  const { numbers, versions } = chunk;
  const count = numbers.length / numbersEach;
  if (isSorted(numbers, count)) return chunk;
  const order = Array.from({ length: count }, (_, at) => at).sort((a, b) => compareAt(numbers, a, b));
  // Of exactly that length: an array that grows keeps room for many more.
  const sorted = new Array<number>(numbers.length);
  for (let at = 0; at < count; at += 1) {
    for (let each = 0; each < numbersEach; each += 1) {
      sorted[at * numbersEach + each] = numbers[order[at]! * numbersEach + each]!;
    }
  }
  return { numbers: sorted, versions: versions.length === 0 ? versions : order.map((at) => versions[at]!) };
};

const numbersOf = ([id, publishedMs, laneCode, fetchedMs, , importance]: Instant): number[] => [
  publishedMs ?? 0,
  fetchedMs,
  runCodeOf(laneCode, importance),
  idOrderOf(id),
];

const nothingShown: ChunkInstants = { numbers: [], versions: noVersions };

export const chunkInstants = ({ month, releases }: InstantsDocument): ChunkInstants => {
  const [only] = releases;
  // Most documents hold one release, and there are as many of them as releases.
  if (releases.length === 1 && only !== undefined) {
    if (isSuppressedCode(only[2])) return nothingShown;
    return { numbers: numbersOf(only), versions: only[6] === null ? noVersions : [only[6]] };
  }
  const shown = releases.filter(([, , laneCode]) => !isSuppressedCode(laneCode));
  const versions = shown.map((release) => release[6]);
  const chunk = {
    numbers: shown.flatMap(numbersOf),
    versions: versions.some((version) => version !== null) ? versions : noVersions,
  };
  return month === undatedMonth ? chunk : sortDated(chunk);
};

const numbersOfAll = (chunks: readonly ChunkInstants[]): number[] => {
  let length = 0;
  for (const { numbers } of chunks) length += numbers.length;
  const all = new Array<number>(length);
  let at = 0;
  for (const { numbers } of chunks) {
    for (let each = 0; each < numbers.length; each += 1) all[at + each] = numbers[each]!;
    at += numbers.length;
  }
  return all;
};

const versionsOfAll = (chunks: readonly ChunkInstants[], count: number): ChunkInstants['versions'] => {
  if (chunks.every(({ versions }) => versions.length === 0)) return noVersions;
  const all = new Array<string | null>(count).fill(null);
  let at = 0;
  for (const { numbers, versions } of chunks) {
    for (let each = 0; each < versions.length; each += 1) all[at + each] = versions[each]!;
    at += numbers.length / numbersEach;
  }
  return all;
};

/** One behind the other. A month is joined again with each new release of it, for which `flatMap` is slow. */
const concatenated = (chunks: readonly ChunkInstants[]): ChunkInstants => {
  const numbers = numbersOfAll(chunks);
  return { numbers, versions: versionsOfAll(chunks, numbers.length / numbersEach) };
};

/** The chunks of one month as one. */
export const joinChunks = (month: string, chunks: readonly ChunkInstants[]): ChunkInstants => {
  if (chunks.length === 1) return chunks[0]!;
  const joined = concatenated(chunks);
  return month === undatedMonth ? joined : sortDated(joined);
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
  /** The codes of the runs of the undated. */
  readonly undatedRuns: ReadonlySet<number>;
}

/** The counted releases of one source. */
export interface SourceInstants extends RunInstants {
  /** Those that only cover others: in no number, and in the feeds that ask for them. Null where there are none. */
  readonly coverage: RunInstants | null;
  /** All that feeds may show, what only covers others too: the months with dated releases, the oldest first. */
  readonly months: readonly ChunkInstants[];
  /** In no order; the same as long as none of them changes. */
  readonly undated: ChunkInstants;
}

type UndatedRuns = Pick<RunInstants, 'undatedCount' | 'undatedNewestFetched' | 'undatedRuns'>;

const noUndatedRuns: UndatedRuns = { undatedCount: 0, undatedNewestFetched: null, undatedRuns: new Set() };

const noRuns: RunInstants = { published: [], newestFetched: [], runCodes: [], ...noUndatedRuns };

const noUndated: ChunkInstants = { numbers: [], versions: noVersions };

export const noInstants: SourceInstants = { ...noRuns, coverage: null, months: [], undated: noUndated };

const undatedOf = ({ numbers }: ChunkInstants, isWanted: (code: number) => boolean): UndatedRuns => {
  if (numbers.length === 0) return noUndatedRuns;
  const undatedRuns = new Set<number>();
  let undatedCount = 0;
  let undatedNewestFetched = Number.NEGATIVE_INFINITY;
  for (let from = 0; from < numbers.length; from += numbersEach) {
    const [fetchedMs, code] = [numbers[from + 1]!, numbers[from + 2]!];
    if (!isWanted(code)) continue;
    undatedCount += 1;
    undatedRuns.add(code);
    undatedNewestFetched = Math.max(undatedNewestFetched, fetchedMs);
  }
  if (undatedCount === 0) return noUndatedRuns;
  return { undatedCount, undatedNewestFetched, undatedRuns };
};

type Months = ReadonlyMap<string, ChunkInstants>;

interface Parts {
  readonly dated: readonly ChunkInstants[];
  readonly undated: ChunkInstants;
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
  return { published, newestFetched, runCodes, ...undatedOf(undated, isWanted) };
};

const hasCoverage = ({ dated, undated }: Parts): boolean =>
  [...dated, undated].some(({ numbers }) => {
    for (let at = 2; at < numbers.length; at += numbersEach) if (isCoverageRun(numbers[at]!)) return true;
    return false;
  });

/** By the names of the months, which follow each other as they do. */
export const joinMonths = (months: Months): SourceInstants => {
  const names = [...months.keys()].filter((name) => name !== undatedMonth).sort();
  const dated = names.map((name) => months.get(name)!).filter(({ numbers }) => numbers.length > 0);
  const undated = months.get(undatedMonth) ?? noUndated;
  const parts = { dated, undated };
  return {
    ...joinRuns(parts, (code) => !isCoverageRun(code)),
    coverage: hasCoverage(parts) ? joinRuns(parts, isCoverageRun) : null,
    months: dated,
    undated,
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
