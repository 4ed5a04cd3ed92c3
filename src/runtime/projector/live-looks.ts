import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { LiveReadModels } from './live-read-models.ts';

export interface LiveLooks {
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
}

/** By so much the time of a hand-over may be cut short; much less than it takes. */
const lookMs = 1_000;

/**
 * Looks again and again at what is live. The time of a hand-over runs from the last look that found the old generations
 * live: a process that nobody has asked for a while would not know them, or take a switch of this moment for an old one.
 */
export function startLiveLooks(deps: {
  readonly live: Pick<LiveReadModels, 'current'>;
  readonly clock: Clock;
  readonly log: Log;
}): LiveLooks {
  const { live, clock, log } = deps;
  const stopping = new AbortController();
  let told: string | undefined;

  /** One line for each reason, however long it lasts; requests meet the same failure and are told so. */
  async function look(): Promise<void> {
    try {
      await live.current();
      told = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== told) log.warn(`the live read models cannot be looked at: ${message}`, { error });
      told = message;
    }
  }

  const done = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await clock.sleep(lookMs, stopping.signal);
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
