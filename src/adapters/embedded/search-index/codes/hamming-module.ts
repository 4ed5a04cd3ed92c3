// JavaScript counts the bits of 256-bit codes at about 20 ns each; WebAssembly has an instruction for 64 of them, and needs
// 3 ns. The one loop that makes the difference is written here in its words, so that it needs no compiler and no binary file.
// With 128 bits at a time it takes twice as long: most processors cannot count the bits of so many at once.

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)]);

const i32 = 0x7f;
const i64 = 0x7e;

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
/** The highest bit of the last byte is a sign. */
const signed = (value: number): number[] => (value < 64 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]);
const constant = (value: number) => [0x41, ...signed(value)];
const add = [0x6a];
const loop = [0x03, 0x40];
const repeatIf = (depth: number) => [0x0d, depth];
const end = [0x0b];
const store32 = [0x36, 2, 0];
const shiftLeft = [0x74];
const isAtMost = [0x4d];
const either = [0x72];
const isBelow = [0x49];

const load64 = (offset: number) => [0x29, 3, ...varint(offset)];
const xor64 = [0x85];
const bitsOf64 = [0x7b];
const add64 = [0x7c];
const to32 = [0xa7];

const wordBytes = 8;
const [code, count, query, out, bound] = [0, 1, 2, 3, 4] as const; // parameters
const [number, distance, firstOfQuery] = [5, 6, 7] as const; // locals; one more for each further word of the query

/** Codes that are compared in one turn of the loop: the processor begins the next before it is done with the last. */
export const codesAtOnce = 4;

const step = (local: number, by: readonly number[]) => [...get(local), ...by, ...add, ...set(local)];

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
    ...[...to32, ...set(distance)],
    // Written always, and kept by moving on: a condition here would be guessed wrong too often.
    ...[...get(out), ...get(distance), ...constant(16), ...shiftLeft],
    ...[...get(number), ...constant(nth), ...add, ...either, ...store32],
    ...step(out, [...get(distance), ...get(bound), ...isAtMost, ...constant(2), ...shiftLeft]),
  ];
  return [
    ...[2, 2, i32, ...varint(words), i64], // two kinds of locals
    ...all.flatMap((word) => [...get(query), ...load64(word * wordBytes), ...set(firstOfQuery + word)]),
    ...loop, // for some codes
    ...Array.from({ length: codesAtOnce }, (_, nth) => compared(nth)).flat(),
    ...step(code, constant(words * wordBytes * codesAtOnce)),
    ...[...step(number, constant(codesAtOnce)), ...get(number), ...get(count), ...isBelow, ...repeatIf(0)],
    ...end,
    ...get(out),
    ...end,
  ];
};

const sized = (bytes: readonly number[]) => [...varint(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];
const named = (name: string) => sized([...Buffer.from(name)]);

const moduleOf = (words: number): Uint8Array =>
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...sized([i32, i32, i32, i32, i32]), ...sized([i32])]), // one type: five numbers give one
    ...section(2, [1, ...named('our'), ...named('memory'), 0x02, 0x00, 1]), // the memory is given, from one page on
    ...section(3, [1, 0]),
    ...section(7, [1, ...named('nearCodes'), 0x00, 0]),
    ...section(10, [1, ...sized(bodyOf(words))]),
  ]);

export interface CodeRange {
  /** Where the codes stand, one behind the other. */
  readonly code: number;
  /** How many: at least one, at most 65,536. Up to three more that stand behind the last are compared, too. */
  readonly count: number;
  /** Where the code stands that they are compared with. */
  readonly query: number;
  /** Where to write; there must be room for four numbers more than there are codes. */
  readonly out: number;
  /** In how many bits a code may differ. */
  readonly bound: number;
}

/**
 * Writes the number of each code that differs in no more bits than allowed, with the count of these bits in the upper half,
 * as 32-bit numbers. Answers where it would write the next one.
 */
export type NearCodes = (range: CodeRange) => number;

export interface WasmMemory {
  /** Another one after each `grow`. */
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

type WasmFunction = (...numbers: readonly number[]) => number;

/** As much of it as is used here: the types of Node leave it out. */
interface WebAssemblyOfNode {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { readonly nearCodes: WasmFunction } };
}
declare const WebAssembly: WebAssemblyOfNode;
const { Memory, Module, Instance } = WebAssembly;

export const createMemory = (pages: number): WasmMemory => new Memory({ initial: pages });

/** For codes of so many bytes, a multiple of eight. */
export const createNearCodes = (memory: WasmMemory, codeBytes: number): NearCodes => {
  const { nearCodes } = new Instance(new Module(moduleOf(codeBytes / wordBytes)), { our: { memory } }).exports;
  return (range) => nearCodes(range.code, range.count, range.query, range.out, range.bound);
};
