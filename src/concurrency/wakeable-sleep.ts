import type { Clock } from '../ports/clock.ts';

export interface WakeableSleep {
  readonly wake: () => void;
  /** Until somebody wakes it, which may have been before it began, or the time is over. */
  readonly sleep: (ms: number, over: AbortSignal) => Promise<void>;
}

export function createWakeableSleep(clock: Pick<Clock, 'sleep'>): WakeableSleep {
  let waking = new AbortController();
  const wake = () => waking.abort();
  return {
    wake,
    sleep: async (ms, over) => {
      if (over.aborted) return;
      over.addEventListener('abort', wake);
      await clock.sleep(ms, waking.signal);
      over.removeEventListener('abort', wake); // a long-lived signal must not gather listeners
      waking = new AbortController();
    },
  };
}
