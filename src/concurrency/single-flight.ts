/** Runs never overlap, and a call is answered by a run that began after it: callers that wait together share one. */
export const createSingleFlight = (run: () => Promise<void>): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;

  const begin = () => {
    waiting = undefined;
    return run();
  };
  return () => {
    if (waiting === undefined) {
      waiting = last.then(begin, begin); // whoever asked for the last run hears of its failure
      last = waiting;
    }
    return waiting;
  };
};
