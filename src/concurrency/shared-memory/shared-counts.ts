/** Counts things of a few kinds, in memory that the threads of a process share; none is lost when a thread dies. */
export interface SharedCounts<Kind extends string> {
  /** To be given to other threads, who count into the same. */
  readonly memory: SharedArrayBuffer;
  readonly add: (kind: Kind) => void;
  readonly read: () => { readonly kind: Kind; readonly count: number }[];
}

export function createSharedCounts<Kind extends string>(
  kinds: readonly Kind[],
  memory = new SharedArrayBuffer(kinds.length * BigUint64Array.BYTES_PER_ELEMENT),
): SharedCounts<Kind> {
  const cells = new BigUint64Array(memory);
  return {
    memory,
    add: (kind) => void Atomics.add(cells, kinds.indexOf(kind), 1n),
    read: () => kinds.map((kind, index) => ({ kind, count: Number(Atomics.load(cells, index)) })),
  };
}
