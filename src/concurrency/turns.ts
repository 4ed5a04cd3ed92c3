import type { Clock } from '../ports/clock.ts';

export interface Turns {
  /** Null, and nothing done, when its turn does not come in time. */
  readonly run: <Result>(withinMs: number, work: () => Promise<Result>) => Promise<Result | null>;
}

/** Lets so many work at once; the others wait in the order in which they came. */
export function createTurns(clock: Pick<Clock, 'sleep'>, atOnceMax: number): Turns {
  let free = atOnceMax;
  const waiting = new Set<() => void>();

  const giveBack = (): void => {
    for (const begin of waiting) {
      waiting.delete(begin);
      begin();
      return;
    }
    free += 1;
  };

  const waitForTurn = (withinMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const over = new AbortController();
      const begin = () => {
        over.abort();
        resolve(true);
      };
      waiting.add(begin);
      void clock.sleep(withinMs, over.signal).then(() => {
        if (waiting.delete(begin)) resolve(false);
      });
    });

  return {
    run: async (withinMs, work) => {
      if (free > 0) free -= 1;
      else if (!(await waitForTurn(withinMs))) return null;
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}
