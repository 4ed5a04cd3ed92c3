import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalStore } from '../ports/operational-store.ts';

const intervalMs = 60_000;
const stepSize = 500;

export interface ExpirySweeper {
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Removes what has expired from the operational store, in small steps. Readers do not see it anyway, so several
 * processes may sweep at once and a failed sweep is simply followed by the next.
 */
export function startExpirySweeper(deps: {
  readonly ops: Pick<OperationalStore, 'removeExpired'>;
  readonly clock: Clock;
  readonly log: Log;
}): ExpirySweeper {
  const { ops, clock, log } = deps;
  const stopping = new AbortController();

  async function sweep(): Promise<void> {
    while (!stopping.signal.aborted && (await ops.removeExpired(stepSize)) === stepSize);
  }

  const done = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await sweep();
      } catch (error) {
        log.error('what has expired could not be removed; the next sweep follows in a minute', { error });
      }
      await clock.sleep(intervalMs, stopping.signal);
    }
  })();
  return {
    done,
    close: async () => {
      stopping.abort();
      await done;
    },
  };
}
