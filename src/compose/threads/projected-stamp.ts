/** Changes with every write to the read models of this process; its threads share it. */
export interface ProjectedStamp {
  readonly memory: SharedArrayBuffer;
  readonly value: () => number;
  readonly advance: () => void;
}

export const createProjectedStamp = (memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): ProjectedStamp => {
  const cell = new Int32Array(memory);
  return {
    memory,
    value: () => Atomics.load(cell, 0),
    advance: () => void Atomics.add(cell, 0, 1),
  };
};
