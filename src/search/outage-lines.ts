import type { Clock } from '../ports/clock.ts';

/** Where some are refused and others are answered, an outage is not over with the first answer: so long nothing may have failed. */
const steadyMs = 10_000;

export interface OutageLines {
  /** True when the outage begins, and is to be told. */
  readonly noteFailure: () => boolean;
  /** True when the outage is over, and that is to be told. */
  readonly noteAnswer: () => boolean;
}

/** When the log is told of an outage: once when it begins and once when it is over, however many ask and whatever each of them gets. */
export function createOutageLines(clock: Pick<Clock, 'nowMs'>): OutageLines {
  let failedMs: number | null = null;

  /** A clock that was set back must not make it longer. */
  const isSteady = (sinceMs: number): boolean => {
    const passedMs = clock.nowMs() - sinceMs;
    return passedMs < 0 || passedMs >= steadyMs;
  };

  return {
    noteFailure: () => {
      const begins = failedMs === null;
      failedMs = clock.nowMs();
      return begins;
    },
    noteAnswer: () => {
      if (failedMs === null || !isSteady(failedMs)) return false;
      failedMs = null;
      return true;
    },
  };
}
