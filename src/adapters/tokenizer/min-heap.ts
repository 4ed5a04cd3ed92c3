/** A binary heap of numbers in a fixed piece of memory. */
export interface MinHeap {
  readonly values: Float64Array;
  size: number;
}

export const createMinHeap = (capacity: number): MinHeap => ({ values: new Float64Array(capacity), size: 0 });

export function push(heap: MinHeap, value: number): void {
  const { values } = heap;
  let at = heap.size;
  heap.size += 1;
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    if (values[parent]! <= value) break;
    values[at] = values[parent]!;
    at = parent;
  }
  values[at] = value;
}

/** Removes the smallest value. The heap must not be empty. */
export function pop(heap: MinHeap): number {
  const { values } = heap;
  const smallest = values[0]!;
  heap.size -= 1;
  const { size } = heap;
  const last = values[size]!;
  let at = 0;
  for (let child = 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && values[child + 1]! < values[child]!) child += 1;
    if (values[child]! >= last) break;
    values[at] = values[child]!;
    at = child;
  }
  values[at] = last;
  return smallest;
}
