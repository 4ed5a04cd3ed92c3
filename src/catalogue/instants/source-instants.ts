import { isCoverageRun } from '../../domain/release/feed/feed-runs.ts';
import { countOf, numbersEach, type PackedReleases } from './packed-releases.ts';
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

type DatedRuns = Pick<RunInstants, 'published' | 'newestFetched' | 'runCodes'>;
type Parts = Pick<SourceInstants, 'dated' | 'undated'>;
type IsWanted = (code: number) => boolean;

const isCounted: IsWanted = (code) => !isCoverageRun(code);

const countWanted = (pieces: ReleasePieces, isWanted: IsWanted): number => {
  let count = 0;
  for (const { numbers } of pieces) {
    for (let at = 2; at < numbers.length; at += numbersEach) if (isWanted(numbers[at]!)) count += 1;
  }
  return count;
};

/** Of the runs that are wanted; those of some first pieces are known already. */
const datedRuns = (rest: ReleasePieces, isWanted: IsWanted, known: DatedRuns, knownCount: number): DatedRuns => {
  const count = knownCount + countWanted(rest, isWanted);
  const published = new Array<number>(count);
  const newestFetched = new Array<number>(count);
  const runCodes = new Array<number>(count);
  for (let at = 0; at < knownCount; at += 1) {
    published[at] = known.published[at]!;
    newestFetched[at] = known.newestFetched[at]!;
    runCodes[at] = known.runCodes[at]!;
  }
  let newest = newestFetched[knownCount - 1] ?? Number.NEGATIVE_INFINITY;
  let at = knownCount;
  for (const { numbers } of rest) {
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
  return { published, newestFetched, runCodes };
};

const undatedIn = ({ numbers }: PackedReleases, isWanted: IsWanted): UndatedRuns => {
  const undatedRuns = new Set<number>();
  let undatedCount = 0;
  let undatedNewestFetched: number | null = null;
  for (let from = 0; from < numbers.length; from += numbersEach) {
    const code = numbers[from + 2]!;
    if (!isWanted(code)) continue;
    undatedCount += 1;
    undatedRuns.add(code);
    undatedNewestFetched = numbers[from + 1]!; // they are in order
  }
  return { undatedCount, undatedNewestFetched, undatedRuns };
};

/** The counted ones of each piece, which most changes leave as it is. */
const knownUndated = new WeakMap<PackedReleases, UndatedRuns>();

const countedUndatedIn = (piece: PackedReleases): UndatedRuns => {
  const known = knownUndated.get(piece);
  if (known !== undefined) return known;
  const made = undatedIn(piece, isCounted);
  knownUndated.set(piece, made);
  return made;
};

const joinUndated = (parts: readonly UndatedRuns[]): UndatedRuns => {
  const some = parts.filter(({ undatedCount }) => undatedCount > 0);
  if (some.length <= 1) return some[0] ?? noUndatedRuns;
  return {
    undatedCount: some.reduce((sum, { undatedCount }) => sum + undatedCount, 0),
    undatedNewestFetched: some.at(-1)!.undatedNewestFetched,
    undatedRuns: new Set(some.flatMap(({ undatedRuns }) => [...undatedRuns])),
  };
};

const hasCoverage = (pieces: ReleasePieces): boolean =>
  pieces.some(({ numbers }) => {
    for (let at = 2; at < numbers.length; at += numbersEach) if (isCoverageRun(numbers[at]!)) return true;
    return false;
  });

/** How many of the first pieces are the same in both. */
const sameFirst = (before: ReleasePieces, after: ReleasePieces): number => {
  let same = 0;
  while (same < after.length && after[same] === before[same]) same += 1;
  return same;
};

const coverageOf = ({ dated, undated }: Parts): RunInstants => ({
  ...datedRuns(dated, isCoverageRun, noRuns, 0),
  ...joinUndated(undated.map((piece) => undatedIn(piece, isCoverageRun))),
});

/** What is known of a source with these releases, of which most are often those that it had before. */
export const instantsWith = (dated: ReleasePieces, undated: ReleasePieces, before = noInstants): SourceInstants => {
  const parts = { dated, undated };
  if (dated.length + undated.length === 0) return noInstants;
  // Where nothing covers others, all that the same pieces hold is counted.
  const isPlain = before.coverage === null;
  const same = isPlain ? sameFirst(before.dated, dated) : 0;
  const rest = dated.slice(same);
  const known = new Set(isPlain ? before.undated : []);
  const come = [...rest, ...undated.filter((piece) => !known.has(piece))];
  return {
    ...datedRuns(rest, isCounted, before, countIn(dated.slice(0, same))),
    ...joinUndated(undated.map(countedUndatedIn)),
    coverage: hasCoverage(come) ? coverageOf(parts) : null,
    ...parts,
  };
};

const countIn = (pieces: ReleasePieces): number => pieces.reduce((sum, piece) => sum + countOf(piece), 0);

/** How many feeds may show. */
export const sizeOf = ({ dated, undated }: Parts): number => countIn(dated) + countIn(undated);

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
