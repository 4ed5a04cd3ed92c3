import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

const intervalMs = 60_000;

export interface MinuteJob {
  readonly done: Promise<void>;
  /** Lets the run in hand end; it is told by its signal. */
  readonly close: () => Promise<void>;
}

/** Runs a task now and every minute from then on. One that fails is logged and followed by the next. */
export function startEveryMinute(
  { clock, log, failure }: { readonly clock: Clock; readonly log: Log; readonly failure: string },
  task: (stop: AbortSignal) => Promise<void>,
): MinuteJob {
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await task(stopping.signal);
      } catch (error) {
        log.error(`${failure}; the next try follows in a minute`, { error });
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
