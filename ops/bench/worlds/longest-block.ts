/** Where other programs take the processor from this one, one try in a few is left alone. */
const tries = 5;

async function longestOnceMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let lastMs = performance.now();
  const turn = () => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
    turning = setImmediate(turn);
  };
  let turning = setImmediate(turn);
  await work();
  clearImmediate(turning);
  return Math.max(longestMs, performance.now() - lastMs);
}

/**
 * How long this thread stands still at most while the work is done: the longest time between two of its turns, in the best of
 * some tries. What the work itself needs without a break is needed in each of them.
 */
export async function longestBlockMs(
  work: () => Promise<unknown>,
  prepare: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  const results: number[] = [];
  for (let attempt = 0; attempt < tries; attempt += 1) {
    await prepare();
    results.push(await longestOnceMs(work));
  }
  return Math.min(...results);
}
