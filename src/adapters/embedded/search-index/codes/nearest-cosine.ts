import { cosineOf, scaleBytes } from '../../../vector-form.ts';
import {
  add4Floats,
  addFloats,
  constant,
  createMemory,
  createWasmFunction,
  end,
  firstHalfAsFloats,
  floatOf4,
  fourZeros,
  get,
  isBelow,
  larger,
  load4Floats,
  load8Numbers,
  loadFloat,
  loop,
  minusOne,
  multiply4Floats,
  multiplyFloats,
  pageBytes,
  repeatIf,
  secondHalfAsFloats,
  set,
  step,
  types,
} from './wasm-module.ts';

/** Numbers that are multiplied in one turn of the loop. */
const atOnce = 8;
const floatBytes = 4;

const [entry, entriesEnd, entryBytes, query, queryEnd] = [0, 1, 2, 3, 4] as const; // parameters
const [at, axis, first, second, numbers, best] = [5, 6, 7, 8, 9, 10] as const; // locals

const addProducts = (sum: number, half: readonly number[], offset: number): number[] => [
  ...[...get(sum), ...get(numbers), ...half],
  ...[...get(axis), ...load4Floats(offset), ...multiply4Floats, ...add4Floats, ...set(sum)],
];

/** The products of four numbers and the next four are summed up apart, so that no addition waits for the one before it. */
const body: readonly number[] = [
  ...[...minusOne, ...set(best)],
  ...loop, // for each entry
  ...[...fourZeros, ...set(first), ...fourZeros, ...set(second)],
  ...[...get(entry), ...set(at), ...get(query), ...set(axis)],
  ...loop, // for some of its numbers
  ...[...get(at), ...load8Numbers(scaleBytes), ...set(numbers), ...step(at, constant(atOnce))],
  ...addProducts(first, firstHalfAsFloats, 0),
  ...addProducts(second, secondHalfAsFloats, 4 * floatBytes),
  ...[...step(axis, constant(atOnce * floatBytes)), ...get(axis), ...get(queryEnd), ...isBelow, ...repeatIf(0)],
  ...end,
  ...[...get(first), ...get(second), ...add4Floats, ...set(first)],
  ...[0, 1, 2, 3].flatMap((lane) => [...get(first), ...floatOf4(lane), ...(lane === 0 ? [] : addFloats)]),
  ...[...get(entry), ...loadFloat(0), ...multiplyFloats, ...get(best), ...larger, ...set(best)],
  ...[...step(entry, get(entryBytes)), ...get(entry), ...get(entriesEnd), ...isBelow, ...repeatIf(0)],
  ...end,
  ...get(best),
];

export interface NearestCosine {
  /** Vectors of length 1 and as many dimensions, which those that follow are compared with. */
  readonly compareWith: (vectors: readonly Float32Array[]) => void;
  /** Of the entry that is nearest to any of those at these places, among the packed vectors of a document (`vector-form.ts`). */
  readonly of: (packed: Buffer, places: readonly number[]) => number;
}

/** In JavaScript the vectors of a document take longer than to read them from the file. */
export function createNearestCosine(): NearestCosine {
  const memory = createMemory(1);
  const run = createWasmFunction(memory, {
    parameters: 5,
    result: types.f32,
    locals: [
      [2, types.i32],
      [3, types.v128],
      [1, types.f32],
    ],
    body,
  });
  let bytes = new Uint8Array(memory.buffer);
  let dimensions = 0;
  let queryBytes = 0;
  let packedAt = 0; // behind the vectors that are compared with

  const reserve = (end: number): void => {
    const missing = end - bytes.length;
    if (missing <= 0) return;
    memory.grow(Math.ceil(missing / pageBytes));
    bytes = new Uint8Array(memory.buffer);
  };

  return {
    compareWith: (vectors) => {
      dimensions = vectors[0]!.length;
      // Filled up with zeros: what is read behind the last number of an entry counts for nothing.
      queryBytes = Math.ceil(dimensions / atOnce) * atOnce * floatBytes;
      packedAt = vectors.length * queryBytes;
      reserve(packedAt);
      for (const [place, vector] of vectors.entries()) {
        const floats = new Float32Array(memory.buffer, place * queryBytes, queryBytes / floatBytes);
        floats.fill(0, dimensions);
        floats.set(vector);
      }
    },
    of: (packed, places) => {
      if (packed.length === 0) return -1; // the loop is for one entry at least
      const packedEnd = packedAt + packed.length;
      reserve(packedEnd + atOnce);
      bytes.set(packed, packedAt);
      let nearest = -1;
      for (const place of places) {
        const query = place * queryBytes;
        nearest = Math.max(nearest, run(packedAt, packedEnd, scaleBytes + dimensions, query, query + queryBytes));
      }
      return cosineOf(nearest);
    },
  };
}
