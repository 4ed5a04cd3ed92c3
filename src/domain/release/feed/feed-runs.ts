import { isCoverageCode, isPrereleaseCode, laneCodes, type Lane } from './lane.ts';

/** Scores are 1 to 5. */
const importanceMax = 5;
const lanesMax = 4;

/** The scores that are at least so high. */
export const importanceFrom = (minImportance: number): number[] =>
  Array.from({ length: importanceMax - minImportance + 1 }, (_, above) => minImportance + above);

/** A release lies in one run of the feed order: that of its lane and its score. */
export const runCodeOf = (laneCode: number, importance: number | null): number =>
  (importance ?? 0) * lanesMax + laneCode;

export const isCoverageRun = (code: number): boolean => isCoverageCode(code % lanesMax);

export const isPrereleaseRun = (code: number): boolean => isPrereleaseCode(code % lanesMax);

/** Some runs: the bit of each one's code is set. */
export type FeedRuns = number;

export const hasRun = (runs: FeedRuns, code: number): boolean => ((runs >>> code) & 1) === 1;

/** Without a least score, also those of releases that have none. */
export const feedRunsOf = (lanes: readonly Lane[], minImportance: number | null): FeedRuns => {
  const scores = minImportance === null ? [null, ...importanceFrom(1)] : importanceFrom(minImportance);
  const codes = scores.flatMap((score) => lanes.map((lane) => runCodeOf(laneCodes[lane], score)));
  return codes.reduce((runs, code) => runs | (1 << code), 0);
};
