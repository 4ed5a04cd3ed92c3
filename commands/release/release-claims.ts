import { z } from 'zod';
import { claimsByFate, claimsOf, releaseFacts, type ReleasesById } from '../../src/domain/release/coverage/claims.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ canonicalId: releaseId, coverageIds: z.array(releaseId).min(1) });

export type ReleaseClaimsInput = z.output<typeof input>;

/** Only what was asked about: a canonical may have any number of claims, and the streams of the others are not read. */
const claimsIn = ({ coverageIds }: ReleaseClaimsInput, state: ReleaseState) => {
  const asked = new Set(coverageIds);
  return claimsOf(state).filter(({ coverageId }) => asked.has(coverageId));
};

/** Forgets those claims of these releases on a canonical that can no longer become a link. */
export const releaseClaims = defineCommand<ReleaseClaimsInput, ReleaseState, ReleaseEvent, ReleasesById>({
  name: 'ReleaseClaims',
  input,
  stream: ({ canonicalId }) => streamOf('release', canonicalId),
  model: release,
  facts: (asked, state) => releaseFacts(claimsIn(asked, state).map(({ coverageId }) => coverageId)),
  decide: (asked, state, { id, facts }) =>
    claimsByFate(id, claimsIn(asked, state), facts).over.map(({ coverageId, claim }) => ({
      type: 'CoverageReleased.v1',
      data: { coverageId, claim },
    })),
});
