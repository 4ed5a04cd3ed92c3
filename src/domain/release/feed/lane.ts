/** The four runs that a feed can be made of: a release lies in exactly one, and a request picks some of them. */
const lanes = ['stable', 'prerelease', 'coverage', 'both'] as const;

export type Lane = (typeof lanes)[number];

/** What is taken down lies in a run that no request picks. */
export type RowLane = Lane | 'suppressed';

/** A lane as a number: the bits are stored, so they stay as they are. */
export const laneBits = { prerelease: 1, coverage: 2, suppressed: 4 } as const;

type LaneBit = (typeof laneBits)[keyof typeof laneBits];

export const withLaneBit = (code: number, bit: LaneBit, isSet: boolean): number => (isSet ? code | bit : code & ~bit);

interface LaneFacts {
  readonly prerelease: boolean;
  /** Id of the canonical release when this one only covers it. */
  readonly coverageOf: string | null;
  readonly suppressed: boolean;
}

export const laneOf = ({ prerelease, coverageOf, suppressed }: LaneFacts): RowLane =>
  suppressed
    ? 'suppressed'
    : lanes[(prerelease ? laneBits.prerelease : 0) | (coverageOf === null ? 0 : laneBits.coverage)]!;

export const laneCodes: Readonly<Record<Lane, number>> = { stable: 0, prerelease: 1, coverage: 2, both: 3 };

export const isPrereleaseCode = (code: number): boolean => (code & laneBits.prerelease) !== 0;
export const isCoverageCode = (code: number): boolean => (code & laneBits.coverage) !== 0;
export const isSuppressedCode = (code: number): boolean => (code & laneBits.suppressed) !== 0;

export interface LaneChoice {
  readonly includePrereleases: boolean;
  readonly includeCoverage: boolean;
}

export const lanesOf = ({ includePrereleases, includeCoverage }: LaneChoice): Lane[] =>
  lanes.filter(
    (_, code) => (includePrereleases || !isPrereleaseCode(code)) && (includeCoverage || !isCoverageCode(code)),
  );
