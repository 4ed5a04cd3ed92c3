import { type Part, runTogether } from '../../../concurrency/run-together.ts';
import { BackendUnavailable } from '../../../kernel/backend-unavailable.ts';
import { acquireLeases, LeaseLost } from '../../resilience/held-leases.ts';
import { retryThroughOutages } from '../../resilience/retry-through-outages.ts';
import type { MinuteJob } from '../every-minute.ts';
import { isPurgeWaiting, purgeRound, type PurgeRoundDeps } from './purge-round.ts';

const leaseTtlMs = 10_000;
/** A look costs one read of an index. */
const lookEveryMs = 1_000;
const failedMs = 5_000;

/**
 * Purges what is due (contract 15.3) and what somebody asked to be deleted for good. One process of several does it, as
 * long as there is something to do; where it was killed the next one goes on.
 */
export function startPurger(deps: PurgeRoundDeps & { readonly holder: string }): MinuteJob {
  const { ops, clock, log, holder } = deps;
  const stopping = new AbortController();
  const what = 'purging';

  async function workWhileDue(): Promise<void> {
    const wanted = [{ leases: ops.leases, name: 'purger', what }];
    const held = await acquireLeases(wanted, { holder, ttlMs: leaseTtlMs, clock });
    if (held === null) return;
    const work: Part = async (over) => {
      while (!over.aborted && (await purgeRound(deps, over, held.all[0])));
    };
    try {
      await runTogether(stopping.signal, [work, held.keep]);
    } finally {
      await held.release();
    }
  }

  const done = retryThroughOutages({ clock, log, what }, stopping.signal, async (reached) => {
    try {
      const isWaiting = await isPurgeWaiting(deps);
      if (isWaiting) await workWhileDue();
      reached();
    } catch (error) {
      if (error instanceof LeaseLost) log.warn(`${error.message}; standing by`);
      else if (error instanceof BackendUnavailable) throw error;
      else {
        log.error('purging failed and is tried again', { error });
        await clock.sleep(failedMs, stopping.signal);
      }
    }
    await clock.sleep(lookEveryMs, stopping.signal);
  });
  return {
    done,
    close: async () => {
      stopping.abort();
      await done;
    },
  };
}
