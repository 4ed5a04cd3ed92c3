import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

const retryMs = 1_000;

/**
 * Runs rounds of work until it is stopped. A back end that is away ends a round but not the work: the next round begins
 * a moment later from what is stored. One line tells of an outage and one of its end, however long it takes.
 */
export async function retryThroughOutages(
  { clock, log, what }: { readonly clock: Clock; readonly log: Log; readonly what: string },
  stop: AbortSignal,
  round: (reached: () => void) => Promise<void>,
): Promise<void> {
  let isOut = false;
  const reached = () => {
    if (isOut) log.info(`${what} goes on`);
    isOut = false;
  };
  while (!stop.aborted) {
    try {
      await round(reached);
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) throw error;
      if (!isOut) log.warn(`${what} waits: ${error.message}`, { error });
      isOut = true;
      await clock.sleep(retryMs, stop);
    }
  }
}
