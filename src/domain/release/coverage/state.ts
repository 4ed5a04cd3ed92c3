import type { CoverageEvent } from './events.ts';

export interface CoverageClaim {
  readonly coverageId: string;
  readonly claim: number;
  readonly claimedAt: string;
}

/** Both sides that a release may stand on (contract 2.11). */
export interface CoverageState {
  /** The canonical that it covers. */
  readonly link: { readonly canonicalId: string; readonly claim: number } | null;
  /** Of those that cover it, or are about to. */
  readonly claims: readonly CoverageClaim[];
  readonly claimsMade: number;
  /** By canonical, the highest claim that can no longer become a link. */
  readonly settled: Readonly<Record<string, number>>;
}

export const noCoverage: CoverageState = { link: null, claims: [], claimsMade: 0, settled: {} };

/** What is left of some claims when one is over. */
export const claimsWithout = <Claim extends Pick<CoverageClaim, 'coverageId' | 'claim'>>(
  claims: readonly Claim[],
  { coverageId, claim }: Pick<CoverageClaim, 'coverageId' | 'claim'>,
): readonly Claim[] => claims.filter((each) => each.coverageId !== coverageId || each.claim !== claim);

const settle = (
  { settled }: CoverageState,
  { canonicalId, claim }: { readonly canonicalId: string; readonly claim: number },
): CoverageState['settled'] => ({ ...settled, [canonicalId]: Math.max(settled[canonicalId] ?? 0, claim) });

export const coverageAfter = (state: CoverageState, { type, data }: CoverageEvent): CoverageState => {
  switch (type) {
    case 'CoverageClaimed.v1':
      return { ...state, claims: [...state.claims, data], claimsMade: data.claim };
    case 'CoverageReleased.v1':
      return { ...state, claims: claimsWithout(state.claims, data) };
    case 'CoverageLinked.v1':
      return { ...state, link: { canonicalId: data.canonicalId, claim: data.claim } };
    case 'CoverageUnlinked.v1':
      return { ...state, link: null, settled: settle(state, data) };
    case 'CoverageForfeited.v1':
      return { ...state, settled: settle(state, data) };
  }
};
