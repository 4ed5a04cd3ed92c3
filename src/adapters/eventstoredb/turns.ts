export interface Turns {
  /** Runs work with at most so many at once; the others wait in line. */
  readonly take: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Sends everybody away who waits in line. */
  readonly refuse: (reason: unknown) => void;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

export function createTurns(atOnceMax: number): Turns {
  let waiting: Waiting[] = [];
  let running = 0;
  return {
    take: async (work) => {
      if (running < atOnceMax) running += 1;
      else await new Promise<void>((begin, refuse) => waiting.push({ begin, refuse })); // the turn is handed over
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next.begin();
      }
    },
    refuse: (reason) => {
      const refused = waiting;
      waiting = [];
      for (const { refuse } of refused) refuse(reason);
    },
  };
}
