/** Runs work with at most so many at once; the others wait in line. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createTurns(atOnceMax: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnceMax) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve)); // the turn is handed over
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
