import { z } from 'zod';
import {
  claimantsOf,
  claimsByFate,
  claimsOf,
  releaseFacts,
  type ReleasesById,
} from '../../src/domain/release/coverage/claims.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({ canonicalId: releaseId });

export type ReleaseClaimsInput = z.output<typeof input>;

/** Forgets those claims on a canonical that can no longer become a link. */
export const releaseClaims = defineCommand<ReleaseClaimsInput, ReleaseState, ReleaseEvent, ReleasesById>({
  name: 'ReleaseClaims',
  input,
  stream: ({ canonicalId }) => streamOf('release', canonicalId),
  model: release,
  facts: (_, state) => releaseFacts(claimantsOf(state)),
  decide: (_, state, { id, facts }) =>
    claimsByFate(id, claimsOf(state), facts).over.map(({ coverageId, claim }) => ({
      type: 'CoverageReleased.v1',
      data: { coverageId, claim },
    })),
});
