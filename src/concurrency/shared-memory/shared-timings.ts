/** From what a cached answer takes to what nobody waits for. */
export const timingBoundsSeconds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

export interface Timing {
  /** How many took at most each bound and more than the one before; the last are those beyond all bounds. */
  readonly counts: readonly number[];
  readonly sumSeconds: number;
}

/** How long things of some kinds took, by their number, in memory that the threads of a process share. */
export interface SharedTimings {
  /** To be given to other threads, who measure into the same. */
  readonly memory: SharedArrayBuffer;
  readonly add: (kind: number, tookMs: number) => void;
  readonly read: (kind: number) => Timing;
}

const boundsMs = timingBoundsSeconds.map((seconds) => seconds * 1_000);
/** One for each bound, one beyond them, and one for the sum in microseconds. */
const cellsOfKind = boundsMs.length + 2;
const sumCell = cellsOfKind - 1;

const cellOf = (tookMs: number): number => {
  let cell = 0;
  while (cell < boundsMs.length && tookMs > boundsMs[cell]!) cell += 1;
  return cell;
};

export function createSharedTimings(
  kinds: number,
  memory = new SharedArrayBuffer(kinds * cellsOfKind * BigUint64Array.BYTES_PER_ELEMENT),
): SharedTimings {
  const cells = new BigUint64Array(memory);
  const read = (cell: number): number => Number(Atomics.load(cells, cell));
  return {
    memory,
    add: (kind, tookMs) => {
      const first = kind * cellsOfKind;
      Atomics.add(cells, first + cellOf(tookMs), 1n);
      Atomics.add(cells, first + sumCell, BigInt(Math.round(Math.max(0, tookMs) * 1_000)));
    },
    read: (kind) => {
      const first = kind * cellsOfKind;
      return {
        counts: Array.from({ length: sumCell }, (_, cell) => read(first + cell)),
        sumSeconds: read(first + sumCell) / 1_000_000,
      };
    },
  };
}
