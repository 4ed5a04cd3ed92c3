import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { type MinuteJob, startEveryMinute } from './every-minute.ts';

const stepSize = 500;

/**
 * Removes what has expired from the operational store, in small steps. Readers do not see it anyway, so several
 * processes may sweep at once.
 */
export function startExpirySweeper(deps: {
  readonly ops: Pick<OperationalStore, 'removeExpired'>;
  readonly clock: Clock;
  readonly log: Log;
}): MinuteJob {
  return startEveryMinute({ ...deps, failure: 'what has expired could not be removed' }, async (stop) => {
    while (!stop.aborted && (await deps.ops.removeExpired(stepSize)) === stepSize);
  });
}
