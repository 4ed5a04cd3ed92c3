import { setTimeout } from 'node:timers/promises';
import { BackendBusy } from '../../../kernel/backend-unavailable.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Lease, Leases } from '../../../ports/leases.ts';
import { GenerationDropped } from '../../../ports/search-index.ts';
import { type GenerationState, type GenerationStateStore, isHeld, type StoredLease } from './generation-state.ts';

export interface OpenSearchLeasesOptions {
  readonly state: GenerationStateStore;
  readonly clock: Clock;
  /** Makes what was written until now be found. */
  readonly settle: () => Promise<void>;
}

const lookAgainMs = 20;
/** Longer than a note lasts; one that is renewed is of a long write that goes on, after which the lease can be asked for again. */
const waitingMsMax = 30_000;

/** What a holder before this one has begun and not ended. */
const earlierWrites = ({ writes }: GenerationState, { name, epoch }: Lease, nowMs: number) =>
  writes.filter((write) => write.lease === name && write.epoch < epoch && write.untilMs > nowMs);

/**
 * OpenSearch changes several documents never at once. So a write is noted before it begins, which only the holder of the
 * lease can do, and who takes the lease over waits until what was noted before is ended or its time is over: from
 * then on the documents are his alone.
 */
export function createOpenSearchLeases({ state, clock, settle }: OpenSearchLeasesOptions): Leases {
  const withLease = (before: GenerationState, name: string, lease: StoredLease): GenerationState => ({
    ...before,
    leases: { ...before.leases, [name]: lease },
  });

  const awaitEarlierWrites = async (lease: Lease, found: GenerationState): Promise<void> => {
    const startMs = performance.now();
    let now = found;
    while (earlierWrites(now, lease, clock.nowMs()).length > 0) {
      if (performance.now() - startMs > waitingMsMax) throw new BackendBusy('OpenSearch');
      await setTimeout(lookAgainMs);
      now = await state.read();
    }
  };

  return {
    acquire: async (name, holder, ttlMs) => {
      let isNew = false;
      const now = await state.change((before) => {
        const held = before.leases[name];
        const nowMs = clock.nowMs();
        const isLive = held !== undefined && held.holder !== null && held.expiresAtMs > nowMs;
        if (isLive && held.holder !== holder) return null;
        isNew = !isLive;
        const epoch = isLive ? held.epoch : (held?.epoch ?? 0) + 1;
        return withLease(before, name, { holder, epoch, expiresAtMs: nowMs + ttlMs });
      });
      const { holder: has, epoch } = now.leases[name]!;
      if (has !== holder) return null;
      const lease = { name, holder, epoch };
      await awaitEarlierWrites(lease, now);
      if (isNew) await settle(); // what the one before has written is there for this one
      return lease;
    },
    renew: async (lease, ttlMs) => {
      try {
        const now = await state.change((before) => {
          if (!isHeld(before, lease)) return null;
          const { holder, epoch } = lease;
          return withLease(before, lease.name, { holder, epoch, expiresAtMs: clock.nowMs() + ttlMs });
        });
        return isHeld(now, lease);
      } catch (error) {
        if (error instanceof GenerationDropped) return false;
        throw error;
      }
    },
    release: async (lease) => {
      try {
        await state.change((before) =>
          isHeld(before, lease)
            ? withLease(before, lease.name, { holder: null, epoch: lease.epoch, expiresAtMs: 0 })
            : null,
        );
      } catch (error) {
        if (!(error instanceof GenerationDropped)) throw error;
      }
    },
  };
}
