/** The four runs that a feed can be made of: a release lies in exactly one, and a request picks some of them. */
const lanes = ['stable', 'prerelease', 'coverage', 'both'] as const;

export type Lane = (typeof lanes)[number];

// A lane as a number: the bits are stored, so they stay as they are.
const prereleaseBit = 1;
const coverageBit = 2;

export interface LaneFacts {
  readonly prerelease: boolean;
  /** Id of the canonical release when this one only covers it. */
  readonly coverageOf: string | null;
}

export const laneCodeOf = (prerelease: boolean, covers: boolean): number =>
  (prerelease ? prereleaseBit : 0) | (covers ? coverageBit : 0);

export const laneOf = ({ prerelease, coverageOf }: LaneFacts): Lane =>
  lanes[laneCodeOf(prerelease, coverageOf !== null)] as Lane;

export const isPrereleaseCode = (code: number): boolean => (code & prereleaseBit) !== 0;
export const isCoverageCode = (code: number): boolean => (code & coverageBit) !== 0;

export interface LaneChoice {
  readonly includePrereleases: boolean;
  readonly includeCoverage: boolean;
}

export const lanesOf = ({ includePrereleases, includeCoverage }: LaneChoice): Lane[] =>
  lanes.filter(
    (_, code) => (includePrereleases || !isPrereleaseCode(code)) && (includeCoverage || !isCoverageCode(code)),
  );
