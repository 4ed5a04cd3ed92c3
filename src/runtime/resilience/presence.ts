import { runTogether } from '../../concurrency/run-together.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Leases } from '../../ports/leases.ts';
import type { Log } from '../../ports/log.ts';
import { acquireLeases, type HeldLeases, LeaseLost } from './held-leases.ts';
import { retryThroughOutages } from './retry-through-outages.ts';

const ttlMs = 10_000;
const standbyMs = 1_000;

interface PresenceDeps {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly holder: string;
}

/** Null while a process runs on these stores. Whoever holds it has them to itself, but for processes started later. */
export const acquirePresence = ({ leases, clock, holder }: PresenceDeps): Promise<HeldLeases | null> =>
  acquireLeases([{ leases, name: 'presence', what: 'the stores' }], { holder, ttlMs, clock });

export interface Presence {
  /** Resolves after `close()`. */
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Shows as long as it runs that there is a process on these stores, whatever its roles. One of several holds the lease,
 * the others stand by. Resolves when it shows, so a process that awaits it before it serves is never missed.
 */
export async function startPresence(deps: PresenceDeps & { readonly log: Log }): Promise<Presence> {
  const { clock, log } = deps;
  const stopping = new AbortController();
  const what = 'showing that a process runs';

  async function stay(reached: () => void, shown: () => void): Promise<void> {
    const held = await acquirePresence(deps);
    reached();
    shown();
    if (held === null) return clock.sleep(standbyMs, stopping.signal);
    try {
      await runTogether(stopping.signal, [held.keep]);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error; // another one shows it then
    } finally {
      await held.release();
    }
  }

  let done = Promise.resolve();
  await new Promise<void>((shown, failed) => {
    done = retryThroughOutages({ clock, log, what }, stopping.signal, (reached) => stay(reached, shown));
    done.catch(failed);
  });
  return {
    done,
    close: async () => {
      stopping.abort();
      await done;
    },
  };
}
