import { z } from 'zod';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { placeOf, type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineBatchCommand } from '../../src/kernel/command.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const claim = z.object({ coverageId: releaseId, claim: z.int().min(1) });

const input = z.object({
  canonicalId: releaseId,
  claims: z.array(claim).min(1),
  /** Whether a link that was made of a claim ends too. */
  unlink: z.boolean(),
});

export type SettleClaimsInput = z.output<typeof input>;

type SettledClaim = Omit<SettleClaimsInput, 'claims'> & { readonly claim: number };

/**
 * Ends claims on a canonical, in the streams of those that they were made for. Whoever has made one and is about to link
 * finds its stream moved on and the claim lost, so afterwards the canonical may forget it.
 */
export const settleClaims = defineBatchCommand<
  SettleClaimsInput,
  SettledClaim,
  ReleaseState,
  ReleaseEvent,
  object,
  object,
  { readonly unlinked: boolean }
>({
  name: 'SettleClaims',
  input,
  facts: () => ({}),
  items: ({ claims, ...what }) =>
    claims.map(({ coverageId, claim }) => ({ stream: streamOf('release', coverageId), item: { ...what, claim } })),
  model: release,
  decide: ({ canonicalId, claim, unlink }, state, { now }) => {
    const nothing = { events: [], result: { unlinked: false } };
    if (state.status !== 'indexed') return nothing;
    const { link, settled } = state.coverage;
    if (link?.canonicalId === canonicalId) {
      if (!unlink) return nothing;
      const data = { ...placeOf(state), ...link, claim: Math.max(link.claim, claim), unlinkedAt: now };
      return { events: [{ type: 'CoverageUnlinked.v1', data }], result: { unlinked: true } };
    }
    if (claim <= (settled[canonicalId] ?? 0)) return nothing;
    return {
      events: [{ type: 'CoverageForfeited.v1', data: { canonicalId, claim } }],
      result: { unlinked: false },
    };
  },
});
