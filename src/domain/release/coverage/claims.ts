import { type FactRequests, fact } from '../../../kernel/command.ts';
import { streamOf } from '../../../kernel/stream-name.ts';
import { type ReleaseState, release } from '../state.ts';
import type { CoverageClaim } from './state.ts';

/** Releases by their ids, each as its own stream tells. */
export type ReleasesById = Readonly<Record<string, ReleaseState>>;

export const releaseFacts = (ids: readonly string[]): FactRequests<ReleasesById> =>
  Object.fromEntries(ids.map((id) => [id, fact(streamOf('release', id), release)]));

export const claimsOf = (state: ReleaseState | undefined): readonly CoverageClaim[] =>
  state?.status === 'indexed' ? state.coverage.claims : [];

export const claimantsOf = (state: ReleaseState | undefined): string[] =>
  claimsOf(state).map(({ coverageId }) => coverageId);

/** Claimants whose streams are read at first; twice as many each time that none of them is linked. */
const askedAtFirst = 25;

/**
 * Of those that have claimed a release, the ones whose streams tell whether it is covered: the first that is linked is
 * enough, so that it costs the same however many there are.
 */
export const claimantsToAsk = (
  canonicalId: string,
  state: ReleaseState | undefined,
  known: Partial<ReleasesById>,
): string[] => {
  const claimants = claimantsOf(state);
  const isLinked = (id: string): boolean => {
    const claimant = known[id];
    return claimant?.status === 'indexed' && claimant.coverage.link?.canonicalId === canonicalId;
  };
  for (let count = askedAtFirst; ; count *= 2) {
    const asked = claimants.slice(0, count);
    const isEnough = asked.length === claimants.length || asked.some((id) => !(id in known) || isLinked(id));
    if (isEnough) return asked;
  }
};

/** A younger claim that no link was made of yet is probably just about to become one. */
const courtesyMs = 60_000;

/** Linked; over, and never to be linked any more; or open, and it may be linked at any moment. */
const fateOf = (
  canonicalId: string,
  { claim }: CoverageClaim,
  coverage: ReleaseState | undefined,
): 'linked' | 'over' | 'open' => {
  if (coverage?.status !== 'indexed') return 'over';
  const { link, settled } = coverage.coverage;
  if (link?.canonicalId === canonicalId) return 'linked';
  return claim <= (settled[canonicalId] ?? 0) ? 'over' : 'open';
};

export interface ClaimsByFate {
  readonly linked: readonly CoverageClaim[];
  readonly over: readonly CoverageClaim[];
  readonly open: readonly CoverageClaim[];
}

/** The claims on a release, by what the streams of those that it was claimed for say. */
export const claimsByFate = (
  canonicalId: string,
  claims: readonly CoverageClaim[],
  claimants: Partial<ReleasesById>,
): ClaimsByFate => {
  const withFate = (fate: ReturnType<typeof fateOf>) =>
    claims.filter((claim) => fateOf(canonicalId, claim, claimants[claim.coverageId]) === fate);
  return { linked: withFate('linked'), over: withFate('over'), open: withFate('open') };
};

/**
 * Of two that want to cover each other, the one with the lower id goes on and the other one gives way, so that neither
 * both win nor both lose. That only spares them a quarrel: an open claim that is in the way is forfeited before anybody
 * goes past it.
 */
const isToBeRespected = ({ coverageId, claimedAt }: CoverageClaim, id: string, now: string): boolean =>
  coverageId < id && Date.parse(now) - Date.parse(claimedAt) < courtesyMs;

/** Whether others cover the release, or are so near to it that it counts. */
export const isCanonical = (id: string, { linked, open }: ClaimsByFate, now: string): boolean =>
  linked.length > 0 || open.some((claim) => isToBeRespected(claim, id, now));
