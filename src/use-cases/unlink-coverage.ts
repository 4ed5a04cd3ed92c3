import { releaseClaims } from '../../commands/release/release-claims.ts';
import { settleClaims } from '../../commands/release/settle-claims.ts';
import { unlinkCoverage as unlinkCoverageCommand } from '../../commands/release/unlink-coverage.ts';
import { claimsOf } from '../domain/release/coverage/claims.ts';
import type { CoverageUnlinked } from '../domain/release/coverage/events.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { type CoverageServices, stepOf } from './coverage-services.ts';

const isUnlinked = (event: DomainEvent): event is CoverageUnlinked => event.type === 'CoverageUnlinked.v1';

/** Ends the link of a release that covers another one, or all links to one that others cover. */
export async function unlinkCoverage(
  { commands, batches }: Pick<CoverageServices, 'commands' | 'batches'>,
  releaseId: string,
  request: CommandRequest,
): Promise<{ readonly unlinked: number; readonly position: number }> {
  const own = await commands.run(unlinkCoverageCommand, { releaseId }, stepOf(request, 'unlink'));
  const ended = own.events.find(isUnlinked);
  if (ended !== undefined) {
    const { canonicalId } = ended.data;
    const over = { canonicalId, coverageIds: [releaseId] };
    const { position } = await commands.run(releaseClaims, over, stepOf(request, 'release'));
    return { unlinked: 1, position: Math.max(own.position, position) };
  }
  const claims = claimsOf(own.state);
  if (claims.length === 0) return { unlinked: 0, position: own.position };
  const input = { canonicalId: releaseId, claims, unlink: true };
  const settled = await batches.run(settleClaims, input, stepOf(request, 'settle'));
  const over = { canonicalId: releaseId, coverageIds: claims.map(({ coverageId }) => coverageId) };
  const released = await commands.run(releaseClaims, over, stepOf(request, 'release'));
  return {
    unlinked: settled.results.filter(({ unlinked }) => unlinked).length,
    position: Math.max(settled.position, released.position),
  };
}
