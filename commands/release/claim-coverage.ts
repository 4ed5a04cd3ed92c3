import { z } from 'zod';
import {
  claimantsToAsk,
  claimsByFate,
  claimsOf,
  isCanonical,
  releaseFacts,
  type ReleasesById,
} from '../../src/domain/release/coverage/claims.ts';
import { coverageConflict } from '../../src/domain/release/coverage/conflict.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z
  .object({ canonicalId: releaseId, coverageIds: z.array(releaseId).min(1).max(50) })
  .refine(({ canonicalId, coverageIds }) => !coverageIds.includes(canonicalId), {
    error: 'must not hold the release itself',
    path: ['coverageIds'],
  });

export type ClaimCoverageInput = z.output<typeof input>;

/**
 * The first step to a link: from here on the canonical cannot become coverage-side. Refuses what can be seen to be
 * impossible, so that nothing is written then. What is linked to this canonical already needs no claim.
 */
export const claimCoverage = defineCommand<ClaimCoverageInput, ReleaseState, ReleaseEvent, ReleasesById>({
  name: 'ClaimCoverage',
  input,
  stream: ({ canonicalId }) => streamOf('release', canonicalId),
  model: release,
  facts: ({ coverageIds }, _, known) =>
    releaseFacts([...coverageIds, ...coverageIds.flatMap((id) => claimantsToAsk(id, known[id], known))]),
  decide: ({ coverageIds }, state, { id, facts, now }) => {
    if (state.status !== 'indexed') throw notFound('release', id);
    const absent = coverageIds.find((coverageId) => facts[coverageId]?.status !== 'indexed');
    if (absent !== undefined) throw notFound('release', absent);
    if (state.coverage.link !== null) throw coverageConflict('coverage-side', id);
    const isLinked = (coverageId: string): boolean => {
      const coverage = facts[coverageId];
      const link = coverage?.status === 'indexed' ? coverage.coverage.link : null;
      if (link !== null && link.canonicalId !== id) throw coverageConflict('linked-elsewhere', coverageId);
      const fates = claimsByFate(coverageId, claimsOf(coverage), facts);
      if (isCanonical(coverageId, fates, now)) throw coverageConflict('canonical', coverageId);
      return link !== null;
    };
    const unlinked = [...new Set(coverageIds)].filter((coverageId) => !isLinked(coverageId));
    return unlinked.map((coverageId, index) => ({
      type: 'CoverageClaimed.v1',
      data: { coverageId, claim: state.coverage.claimsMade + 1 + index, claimedAt: now },
    }));
  },
});
