/** Counts one thing, in memory that the threads of a process share: for what happens so often that a count of kinds would be felt. */
export interface SharedCounter {
  /** To be given to other threads. */
  readonly memory: SharedArrayBuffer;
  readonly add: () => void;
  /** It begins anew after 2^32: only whether it has changed tells anything. */
  readonly value: () => number;
}

export function createSharedCounter(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): SharedCounter {
  const cells = new Int32Array(memory);
  return {
    memory,
    add: () => void Atomics.add(cells, 0, 1),
    value: () => Atomics.load(cells, 0),
  };
}
