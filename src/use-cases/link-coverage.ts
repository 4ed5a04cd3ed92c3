import { claimCoverage } from '../../commands/release/claim-coverage.ts';
import { linkCoverage as linkCoverageCommand, type LinkResult } from '../../commands/release/link-coverage.ts';
import { releaseClaims } from '../../commands/release/release-claims.ts';
import { settleClaims } from '../../commands/release/settle-claims.ts';
import { coverageConflict } from '../domain/release/coverage/conflict.ts';
import type { CoverageClaimed } from '../domain/release/coverage/events.ts';
import type { CommandRequest } from '../kernel/command.ts';
import { type DomainError, isDomainError, notFound } from '../kernel/errors.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { retryConflicts } from '../runtime/commands/retry-conflicts.ts';
import { type CoverageServices, stepOf } from './coverage-services.ts';

export interface CoverageLinks {
  readonly canonicalId: string;
  readonly coverageIds: readonly string[];
  readonly reason?: string | undefined;
  readonly decidedBy: string;
}

type Claim = CoverageClaimed['data'];

const isClaim = (event: DomainEvent): event is CoverageClaimed => event.type === 'CoverageClaimed.v1';

/** Why a link cannot be made, now or later. */
const refusalOf = ({ coverageId, outcome }: LinkResult): DomainError | undefined => {
  switch (outcome) {
    case 'absent':
      return notFound('release', coverageId);
    case 'canonical':
    case 'coverage-side':
    case 'linked-elsewhere':
      return coverageConflict(outcome, coverageId);
    default:
      return undefined;
  }
};

/**
 * Links releases to the canonical that they cover. Two streams cannot be written at once, so the canonical is claimed
 * first and the link is made of the claim; a crash in between leaves a claim that the next one who needs to ends.
 */
export async function linkCoverage(
  services: CoverageServices,
  { canonicalId, coverageIds, reason, decidedBy }: CoverageLinks,
  request: CommandRequest,
): Promise<{ readonly linked: number; readonly position: number }> {
  const { commands, batches } = services;
  let linked = 0;
  let tries = 0;

  /** Of what was claimed and could not be linked: nobody shall have to wait for it. */
  const giveUp = async (claims: readonly Claim[], step: (name: string) => CommandRequest) => {
    try {
      await batches.run(settleClaims, { canonicalId, claims, unlink: false }, step('give-up'));
      const given = { canonicalId, coverageIds: claims.map(({ coverageId }) => coverageId) };
      await commands.run(releaseClaims, given, step('release'));
    } catch (error) {
      // Where very many write, it stays as a crash would leave it; the caller is told why there is no link.
      if (!isDomainError(error, 'service_unavailable')) throw error;
    }
  };

  return retryConflicts(services, async () => {
    tries += 1;
    const step = (name: string) => stepOf(request, `${name} ${tries}`);
    const claimed = await commands.run(claimCoverage, { canonicalId, coverageIds }, step('claim'));
    const claims = claimed.events.filter(isClaim).map(({ data }) => data);
    if (claims.length === 0) return { linked, position: claimed.position };
    const input = { canonicalId, claims, reason, decidedBy };
    const { results, position } = await batches.run(linkCoverageCommand, input, step('link'));
    linked += results.filter(({ outcome }) => outcome === 'linked').length;
    const refusal = results.map(refusalOf).find((error) => error !== undefined);
    if (refusal !== undefined) {
      const isMade = new Set(results.filter(({ outcome }) => outcome === 'linked').map(({ coverageId }) => coverageId));
      await giveUp(
        claims.filter(({ coverageId }) => !isMade.has(coverageId)),
        step,
      );
      throw refusal;
    }
    for (const result of results) {
      if (result.outcome !== 'claimed') continue;
      const inTheWay = { canonicalId: result.coverageId, claims: result.open, unlink: false };
      await batches.run(settleClaims, inTheWay, step(`past ${result.coverageId}`));
    }
    const isDone = results.every(({ outcome }) => outcome === 'linked' || outcome === 'known');
    return isDone ? { linked, position: Math.max(position, claimed.position) } : 'again';
  });
}
