import { type Part, runTogether } from '../../concurrency/run-together.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lease, Leases } from '../../ports/leases.ts';

/** Another process does this work now. */
export class LeaseLost extends Error {
  constructor(what: string) {
    super(`the lease on ${what} was taken over`);
    this.name = 'LeaseLost';
  }
}

export interface WantedLease {
  readonly leases: Leases;
  readonly name: string;
  /** As sentences name it; the name when absent. */
  readonly what?: string;
}

export interface Holder {
  readonly holder: string;
  readonly ttlMs: number;
  readonly clock: Clock;
}

export interface HeldLeases {
  /** In the order they were wanted. */
  readonly all: readonly Lease[];
  /** Throws `LeaseLost` when one is gone. */
  readonly renew: () => Promise<void>;
  /** Renews them again and again. */
  readonly keep: Part;
  readonly release: () => Promise<void>;
}

/** All or none, so that a process that stands by does not take a part of the work: null when another one has it. */
export async function acquireLeases(
  wanted: readonly WantedLease[],
  { holder, ttlMs, clock }: Holder,
): Promise<HeldLeases | null> {
  const all: Lease[] = [];
  /** One that cannot be given back in an outage runs out by itself: that must not hide how the work ended. */
  const release = async (): Promise<void> => {
    try {
      for (const [index, lease] of all.entries()) await wanted[index]!.leases.release(lease);
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) throw error;
    }
  };
  let isComplete = false;
  try {
    for (const { leases, name } of wanted) {
      const lease = await leases.acquire(name, holder, ttlMs);
      if (lease === null) return null;
      all.push(lease);
    }
    isComplete = true;
  } finally {
    if (!isComplete) await release();
  }

  const renew = async (): Promise<void> => {
    for (const [index, lease] of all.entries()) {
      const { leases, name, what = name } = wanted[index]!;
      if (!(await leases.renew(lease, ttlMs))) throw new LeaseLost(what);
    }
  };
  return { all, renew, keep: keepRenewing({ ttlMs, clock }, renew), release };
}

/** Often enough that a renewal may be late by a whole turn. */
export const keepRenewing =
  ({ ttlMs, clock }: Pick<Holder, 'ttlMs' | 'clock'>, renew: () => Promise<void>): Part =>
  async (over) => {
    for (;;) {
      await clock.sleep(ttlMs / 3, over);
      if (over.aborted) return;
      await renew();
    }
  };

/** Keeps the leases while the work runs and gives them back. One that is lost ends the work, which is told so. */
export async function whileHeld<Result>(
  held: HeldLeases,
  work: (over: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const never = new AbortController();
  let done: { readonly result: Result } | undefined;
  try {
    await runTogether(never.signal, [
      held.keep,
      async (over) => {
        done = { result: await work(over) };
      },
    ]);
  } finally {
    await held.release();
  }
  if (done === undefined) throw new Error('the work ended without a result');
  return done.result;
}
