/** Runs tasks of one key one after another, and those of different keys side by side. */
export interface StreamQueue {
  readonly run: <T>(key: string, task: () => Promise<T>) => Promise<T>;
}

export function createStreamQueue(): StreamQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run: (key, task) => {
      const before = tails.get(key) ?? Promise.resolve();
      // A task that failed must not fail the one behind it.
      const result = before.then(task, task);
      const tail = result.then(
        () => undefined,
        () => undefined,
      );
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return result;
    },
  };
}
