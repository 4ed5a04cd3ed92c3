/** The offsets of one partition that were handed over and are not finished. */
export interface OffsetWindow {
  /** They come in rising order; there may be gaps. */
  readonly add: (offset: number) => void;
  readonly finish: (offset: number) => void;
  /** What to commit: the first unfinished offset, or the one behind the last. */
  readonly next: () => number;
}

/** Keeps the unfinished only, so that one message that takes long costs no memory for those that pass it. */
export function createOffsetWindow(start: number): OffsetWindow {
  const unfinished = new Set<number>(); // in the order in which they were added
  let end = start;
  return {
    add: (offset) => {
      if (offset < end) throw new Error(`Offset ${offset} came after ${end - 1}.`);
      unfinished.add(offset);
      end = offset + 1;
    },
    finish: (offset) => {
      if (!unfinished.delete(offset)) throw new Error(`Offset ${offset} is not in hand.`);
    },
    next: () => {
      const [first = end] = unfinished;
      return first;
    },
  };
}
