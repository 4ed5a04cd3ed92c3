import { z } from 'zod';
import {
  claimantsOf,
  claimsByFate,
  isCanonical,
  releaseFacts,
  type ReleasesById,
} from '../../src/domain/release/coverage/claims.ts';
import type { CoverageConflict } from '../../src/domain/release/coverage/conflict.ts';
import type { CoverageClaim } from '../../src/domain/release/coverage/state.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { decidedBy, decisionReason } from '../../src/domain/release/fields.ts';
import { placeOf, type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineBatchCommand } from '../../src/kernel/command.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z.object({
  canonicalId: releaseId,
  claims: z.array(z.object({ coverageId: releaseId, claim: z.int().min(1) })).min(1),
  reason: decisionReason,
  decidedBy,
});

export type LinkCoverageInput = z.output<typeof input>;

type LinkedRelease = Omit<LinkCoverageInput, 'claims'> & { readonly claim: number };

export type LinkResult =
  | { readonly coverageId: string; readonly outcome: 'linked' | 'known' | 'absent' | CoverageConflict }
  /** The claim was given up by another one: it takes a new one to go on. */
  | { readonly coverageId: string; readonly outcome: 'forfeited' }
  /** Others have claimed this release; their claims must be forfeited first. */
  | { readonly coverageId: string; readonly outcome: 'claimed'; readonly open: readonly CoverageClaim[] };

/** The second step: the link itself, in the stream of each release that covers the canonical. */
export const linkCoverage = defineBatchCommand<
  LinkCoverageInput,
  LinkedRelease,
  ReleaseState,
  ReleaseEvent,
  object,
  ReleasesById,
  LinkResult
>({
  name: 'LinkCoverage',
  input,
  facts: () => ({}),
  items: ({ claims, ...decision }) =>
    claims.map(({ coverageId, claim }) => ({
      stream: streamOf('release', coverageId),
      item: { ...decision, claim },
    })),
  model: release,
  itemFacts: (_, state) => releaseFacts(claimantsOf(state)),
  decide: ({ canonicalId, claim, reason, decidedBy }, state, { id: coverageId, facts, now }) => {
    const without = (outcome: 'known' | 'absent' | 'forfeited' | CoverageConflict) => ({
      events: [],
      result: { coverageId, outcome },
    });
    if (state.status !== 'indexed') return without('absent');
    const { link, claims, settled } = state.coverage;
    if (link !== null) return without(link.canonicalId === canonicalId ? 'known' : 'linked-elsewhere');
    if (claim <= (settled[canonicalId] ?? 0)) return without('forfeited');
    const fates = claimsByFate(coverageId, claims, facts);
    if (isCanonical(coverageId, fates, now)) return without('canonical');
    if (fates.open.length > 0) return { events: [], result: { coverageId, outcome: 'claimed', open: fates.open } };
    const data = { ...placeOf(state), canonicalId, claim, reason: reason ?? null, decidedBy, decidedAt: now };
    return { events: [{ type: 'CoverageLinked.v1', data }], result: { coverageId, outcome: 'linked' } };
  },
});
