import { releaseClaims } from '../../commands/release/release-claims.ts';
import { settleClaims } from '../../commands/release/settle-claims.ts';
import { unlinkCoverage as unlinkCoverageCommand } from '../../commands/release/unlink-coverage.ts';
import { claimsOf } from '../domain/release/coverage/claims.ts';
import type { CoverageUnlinked } from '../domain/release/coverage/events.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { type CoverageServices, stepOf } from './coverage-services.ts';

/** Any number may cover one release, but what is appended at once is bounded. */
const claimsAtOnce = 200;

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
  let unlinked = 0;
  let { position } = own;
  const claims = claimsOf(own.state);
  for (let from = 0; from < claims.length; from += claimsAtOnce) {
    const piece = claims.slice(from, from + claimsAtOnce);
    const step = piece[0]!.claim; // a repeat finds other pieces, and must not be taken for these
    const ending = { canonicalId: releaseId, claims: piece, unlink: true };
    const settled = await batches.run(settleClaims, ending, stepOf(request, `settle ${step}`));
    const over = { canonicalId: releaseId, coverageIds: piece.map(({ coverageId }) => coverageId) };
    const released = await commands.run(releaseClaims, over, stepOf(request, `release ${step}`));
    unlinked += settled.results.filter((result) => result.unlinked).length;
    position = Math.max(position, settled.position, released.position);
  }
  return { unlinked, position };
}
