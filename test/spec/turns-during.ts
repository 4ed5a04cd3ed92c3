/** How often whatever else waits on this thread could run while the work went on. */
export const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0;
  let turning = setImmediate(function turn() {
    turns += 1;
    turning = setImmediate(turn);
  });
  await work();
  clearImmediate(turning);
  return turns;
};
