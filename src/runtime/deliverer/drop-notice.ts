import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

/** While the bus is away it is told of again and again; after that long without a word a new outage begins. */
const quietMs = 60_000;

/** One warning for each outage of the bus. */
export function createDropNotice({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (error: Error): void => {
    const nowMs = clock.nowMs();
    if (nowMs - toldMs >= quietMs) log.warn('deliveries wait: the message bus cannot be reached', { error });
    toldMs = nowMs;
  };
}
