export interface Mutex {
  /** Runs when all that was begun before has ended, however that ended. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Lets one work at a time, in the order in which they came. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const own = last.then(work, work);
      last = own.catch(() => undefined); // whoever began it is told
      return own;
    },
  };
}
