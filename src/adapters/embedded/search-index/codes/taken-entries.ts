import { createGrowingNumbers } from './growing-numbers.ts';

/** The entries that differ from one query in the fewest bits, as they are met one after the other. */
export interface TakenEntries {
  /** Forgets those of the last query. No more bits than the bound may differ; as many entries as these are wanted. */
  readonly begin: (bound: number, wanted: number) => void;
  /** What is further away cannot be one of the nearest any more. */
  readonly bound: () => number;
  /** One that is not beyond the bound. */
  readonly take: (slot: number, bits: number) => void;
  /** As many as are wanted, and those that differ in no more bits than the last; fewer where no others were taken. */
  readonly slots: () => Int32Array;
  readonly bytes: () => number;
}

/** From so many on, those that are beyond the bound by now are let go when they are more than the others. */
const keptMin = 1_024;

export function createTakenEntries(bitsMax: number): TakenEntries {
  const slots = createGrowingNumbers((length) => new Int32Array(length));
  const bitsOf = createGrowingNumbers((length) => new Int32Array(length));
  const countAt = new Int32Array(bitsMax + 1);
  let bound = bitsMax;
  let wanted = 0;
  let within = 0; // how many were taken up to the bound
  let count = 0;

  const keepWithin = (): void => {
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      if (bitsOf.values[index]! > bound) continue;
      slots.values[kept] = slots.values[index]!;
      bitsOf.values[kept] = bitsOf.values[index]!;
      kept += 1;
    }
    count = kept;
  };

  return {
    begin: (firstBound, wantedEntries) => {
      [bound, wanted, within, count] = [firstBound, wantedEntries, 0, 0];
      countAt.fill(0);
    },
    bound: () => bound,
    take: (slot, bits) => {
      if (count >= keptMin && count > 2 * within) keepWithin();
      slots.reserve(count + 1);
      bitsOf.reserve(count + 1);
      slots.values[count] = slot;
      bitsOf.values[count] = bits;
      count += 1;
      countAt[bits]! += 1;
      within += 1;
      while (within - countAt[bound]! >= wanted) {
        within -= countAt[bound]!;
        bound -= 1;
      }
    },
    slots: () => {
      keepWithin();
      return slots.values.subarray(0, count);
    },
    bytes: () => slots.values.byteLength + bitsOf.values.byteLength,
  };
}
