import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Log } from '../../ports/log.ts';
import type { Tries } from './try-again.ts';

export interface LeaderWatchDeps extends Omit<Tries, 'random'> {
  readonly log: Log | undefined;
  /** Any question that only the leader answers: the client goes where it is. */
  readonly askLeader: () => Promise<unknown>;
}

/** As long as a subscription stays, at most, with a node that does not lead any more. */
const everyMs = 5_000;

/**
 * The server tells no subscription of a change of leader, and a node that has lost the lead may be cut off from the
 * others. Whoever only follows and asks nothing else would wait there for ever.
 */
export async function watchLeader({ clock, stop, log, askLeader }: LeaderWatchDeps): Promise<void> {
  for (;;) {
    await clock.sleep(everyMs, stop);
    if (stop.aborted) return;
    try {
      await askLeader();
    } catch (error) {
      // An outage is told by the subscriptions, which are dropped by it too.
      if (!(error instanceof BackendUnavailable)) log?.warn('EventStoreDB does not tell its leader.', { error });
    }
  }
}
