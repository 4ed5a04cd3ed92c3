// JavaScript counts the bits of 256-bit codes at about 20 ns each; WebAssembly has an instruction for 64 of them, and needs
// 2 ns. With 128 bits at a time it takes twice as long: most processors cannot count the bits of so many at once.

import {
  add,
  add64,
  bitsOf64,
  constant,
  createWasmFunction,
  either,
  end,
  get,
  ifSo,
  isAtMost,
  isBelow,
  load64,
  loop,
  repeatIf,
  set,
  shiftLeft,
  step,
  store32,
  to32,
  types,
  type WasmMemory,
  xor64,
} from './wasm-module.ts';

const wordBytes = 8;
const numberBytes = 4;
const [code, count, query, out, bound] = [0, 1, 2, 3, 4] as const; // parameters
const [number, distance, firstOfQuery] = [5, 6, 7] as const; // locals; one more for each further word of the query

/**
 * Codes that are compared in one turn of the loop: the processor begins the next before it is done with the last. Alone, with
 * 16 a comparison takes 2.05 ns, with 8 2.2, with 4 2.45, with 32 2.1; two queries at once, whose codes are read once, need as long.
 */
export const codesAtOnce = 16;

const bodyOf = (words: number): number[] => {
  const all = Array.from({ length: words }, (_, word) => word);
  const compared = (nth: number): number[] => [
    ...all.flatMap((word) => [
      ...[
        ...get(code),
        ...load64((nth * words + word) * wordBytes),
        ...get(firstOfQuery + word),
        ...xor64,
        ...bitsOf64,
      ],
      ...(word === 0 ? [] : add64),
    ]),
    ...[...to32, ...set(distance), ...get(distance), ...get(bound), ...isAtMost],
    // So for a few of a thousand where the bound is close, and for all where there is none: either is guessed well by the
    // processor. To write always, and keep it by moving on, takes a third longer.
    ...ifSo,
    ...[...get(out), ...get(distance), ...constant(16), ...shiftLeft],
    ...[...get(number), ...constant(nth), ...add, ...either, ...store32],
    ...step(out, constant(numberBytes)),
    ...end,
  ];
  return [
    ...all.flatMap((word) => [...get(query), ...load64(word * wordBytes), ...set(firstOfQuery + word)]),
    ...loop, // for some codes
    ...Array.from({ length: codesAtOnce }, (_, nth) => compared(nth)).flat(),
    ...step(code, constant(words * wordBytes * codesAtOnce)),
    ...[...step(number, constant(codesAtOnce)), ...get(number), ...get(count), ...isBelow, ...repeatIf(0)],
    ...end,
    ...get(out),
  ];
};

export interface CodeRange {
  /** Where the codes stand, one behind the other. */
  readonly code: number;
  /** How many: at least one, at most 65,536. Up to `codesAtOnce` - 1 more that stand behind the last are compared, too. */
  readonly count: number;
  /** Where the code stands that they are compared with. */
  readonly query: number;
  /** Where to write; there must be room for `codesAtOnce` numbers more than there are codes. */
  readonly out: number;
  /** In how many bits a code may differ. */
  readonly bound: number;
}

/**
 * Writes the number of each code that differs in no more bits than allowed, with the count of these bits in the upper half,
 * as 32-bit numbers. Answers where it would write the next one.
 */
export type NearCodes = (range: CodeRange) => number;

/** For codes of so many bytes, a multiple of eight. */
export const createNearCodes = (memory: WasmMemory, codeBytes: number): NearCodes => {
  const words = codeBytes / wordBytes;
  const locals = [
    [2, types.i32],
    [words, types.i64],
  ] as const;
  const nearCodes = createWasmFunction(memory, { parameters: 5, result: types.i32, locals, body: bodyOf(words) });
  return (range) => nearCodes(range.code, range.count, range.query, range.out, range.bound);
};
