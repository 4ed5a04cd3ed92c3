import { createSingleFlight } from '../concurrency/single-flight.ts';
import type { Clock } from '../ports/clock.ts';
import type { Lease, Leases } from '../ports/leases.ts';
import type { Log } from '../ports/log.ts';

/** This process, as other processes know it by the claims that it has written. */
export interface ClaimHolder {
  readonly name: string;
  /** Resolves once others can see that this process lives, and holds the claim until the returned function is called. */
  readonly hold: (claimId: string) => Promise<() => void>;
  /** Whether the process of that name still works under the claim. Of another process: whether it lives. */
  readonly isHeld: (claimId: string, holderName: string) => Promise<boolean>;
}

/** A repeat after a crash shall be answered within 2 s, so a process that is silent for longer than this counts as dead. */
const silenceMs = 1_500;
const signMs = silenceMs / 3;

/**
 * A sign of life is a lease on the process's own name, judged by the clock of the store: processes need not agree on the
 * time, and a process without claims writes nothing.
 */
export function createClaimHolder(deps: {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly name: string;
  readonly log: Log;
}): ClaimHolder {
  const { leases, clock, log } = deps;
  const name = `claim-holder:${deps.name}`;
  let own: Lease | null = null;
  let signedMs = Number.NEGATIVE_INFINITY;
  /** By claim, how many requests work under it or are about to. */
  const held = new Map<string, number>();
  let isSigning = false;

  const sign = createSingleFlight(async () => {
    const ageMs = clock.nowMs() - signedMs;
    if (ageMs >= 0 && ageMs < signMs) return; // a clock that was set back says nothing
    // Whoever took this process for dead has the lease for a moment, which is no reason to stop.
    if (own === null || !(await leases.renew(own, silenceMs))) own = await leases.acquire(name, name, silenceMs);
    if (own !== null) signedMs = clock.nowMs();
  });

  const keepSigning = async (): Promise<void> => {
    if (isSigning) return;
    isSigning = true;
    while (held.size > 0) {
      await sign().catch((error: unknown) => log.warn('this process could not give a sign of life', { error }));
      await clock.sleep(signMs);
    }
    isSigning = false;
  };

  const count = (claimId: string, step: 1 | -1): void => {
    const holding = (held.get(claimId) ?? 0) + step;
    if (holding === 0) held.delete(claimId);
    else held.set(claimId, holding);
  };

  return {
    name,
    hold: async (claimId) => {
      count(claimId, 1);
      try {
        await sign();
      } catch (error) {
        count(claimId, -1);
        throw error;
      }
      void keepSigning();
      return () => count(claimId, -1);
    },
    isHeld: async (claimId, holderName) => {
      if (holderName === name) return held.has(claimId);
      const lease = await leases.acquire(holderName, name, silenceMs);
      if (lease === null) return true;
      await leases.release(lease); // a process that was only slow takes it back
      return false;
    },
  };
}
