/** Changes wait until somebody looks, but not so many that looking takes long. */
const waitingMax = 64;

export const addWaiting = (waiting: Set<string>, id: string, settle: () => void): void => {
  waiting.add(id);
  if (waiting.size >= waitingMax) settle();
};
