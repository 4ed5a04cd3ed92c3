import type { Clock } from '../../src/ports/clock.ts';

export interface FakeClock extends Clock {
  /** Moves time on and wakes the sleepers that are due, earliest first. */
  readonly advance: (ms: number) => void;
}

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock that stands still until a test moves it. */
export const createFakeClock = (startMs = Date.UTC(2030, 0, 1)): FakeClock => {
  let nowMs = startMs;
  let sleepers: Sleeper[] = [];

  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) {
          resolve();
          return;
        }
        const wake = () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper: Sleeper = { dueMs: nowMs + ms, wake };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', wake);
      }),
    advance: (ms) => {
      nowMs += ms;
      const due = sleepers.filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
      for (const { wake } of due) wake();
    },
  };
};
