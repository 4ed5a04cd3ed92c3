/**
 * Documents are divided by their ordinals, so that threads can look through a part of the codes each, at the same time. Who holds
 * all parts can do without the others.
 */
export interface CodeParts {
  readonly count: number;
  /** Those whose codes are in memory here. */
  readonly held: readonly number[];
}

export const undivided: CodeParts = { count: 1, held: [0] };

export const holdsAll = ({ count, held }: CodeParts): boolean => held.length === count;

/** Of so many nearest ones, how many are of one part: three times as many more as chance adds, so that hardly one is left out. */
export const shareOf = (wanted: number, { count }: CodeParts): number =>
  Math.ceil(wanted / count + (3 * Math.sqrt(wanted * (count - 1))) / count);
