// The few loops that JavaScript is too slow for are written out in the words of WebAssembly, so that they need no compiler and no
// binary file. Here are the words that they use, and what makes a module of them.

type Bytes = readonly number[];

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)]);
/** The highest bit of the last byte is a sign. */
const signed = (value: number): number[] => (value < 64 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]);

export const types = { i32: 0x7f, i64: 0x7e, f32: 0x7d, v128: 0x7b } as const;

export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];
export const loop = [0x03, 0x40];
export const repeatIf = (depth: number) => [0x0d, depth];
export const ifSo = [0x04, 0x40];
export const end = [0x0b];

export const constant = (value: number) => [0x41, ...signed(value)];
export const add = [0x6a];
export const shiftLeft = [0x74];
export const either = [0x72];
export const isBelow = [0x49];
export const isAtMost = [0x4d];
export const multiply = [0x6c];
export const load8 = (offset: number) => [0x2d, 0, ...varint(offset)];
export const load32 = [0x28, 2, 0];
export const store32 = [0x36, 2, 0];
/** Moves a number on. */
export const step = (local: number, by: Bytes) => [...get(local), ...by, ...add, ...set(local)];

export const load64 = (offset: number) => [0x29, 3, ...varint(offset)];
export const xor64 = [0x85];
export const bitsOf64 = [0x7b];
export const add64 = [0x7c];
export const to32 = [0xa7];

/** From any place: it need not stand at a multiple of its size. */
export const loadFloat = (offset: number) => [0x2a, 0, ...varint(offset)];
export const storeFloat = [0x38, 2, 0];
export const addFloats = [0x92];
export const multiplyFloats = [0x94];
export const larger = [0x97];
export const zero = [0x43, 0, 0, 0, 0];
export const minusOne = [0x43, 0x00, 0x00, 0x80, 0xbf];

const simd = (code: number, ...rest: number[]) => [0xfd, ...varint(code), ...rest];
/** Eight bytes as eight numbers of 16 bits. */
export const load8Numbers = (offset: number) => simd(0x01, 0, ...varint(offset));
export const load4Floats = (offset: number) => simd(0x00, 2, ...varint(offset));
export const fourZeros = simd(0x0c, ...new Array<number>(16).fill(0));
const convert4 = simd(0xfa);
export const firstHalfAsFloats = [...simd(0xa7), ...convert4];
export const secondHalfAsFloats = [...simd(0xa8), ...convert4];
export const add4Floats = simd(0xe4);
export const multiply4Floats = simd(0xe6);
export const floatOf4 = (lane: number) => simd(0x1f, lane);

const sized = (bytes: Bytes) => [...varint(bytes.length), ...bytes];
const section = (id: number, bytes: Bytes) => [id, ...sized(bytes)];
const named = (name: string) => sized([...Buffer.from(name)]);

export interface WasmFunctionText {
  /** Numbers of 32 bits that it is given; the first locals. */
  readonly parameters: number;
  readonly result: number;
  /** The locals behind these: how many of which type. */
  readonly locals: readonly (readonly [count: number, type: number])[];
  readonly body: Bytes;
}

const moduleOf = ({ parameters, result, locals, body }: WasmFunctionText): Uint8Array => {
  const declared = [...varint(locals.length), ...locals.flatMap(([count, type]) => [...varint(count), type])];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...sized(new Array<number>(parameters).fill(types.i32)), ...sized([result])]),
    ...section(2, [1, ...named('our'), ...named('memory'), 0x02, 0x00, 1]), // the memory is given, from one page on
    ...section(3, [1, 0]),
    ...section(7, [1, ...named('run'), 0x00, 0]),
    ...section(10, [1, ...sized([...declared, ...body, ...end])]),
  ]);
};

export interface WasmMemory {
  /** Another one after each `grow`. */
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

export const pageBytes = 65_536;

type WasmFunction = (...numbers: readonly number[]) => number;

/** As much of it as is used here: the types of Node leave it out. */
interface WebAssemblyOfNode {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly run: WasmFunction } };
}
declare const WebAssembly: WebAssemblyOfNode;
const { Memory, Module, Instance } = WebAssembly;

export const createMemory = (pages: number): WasmMemory => new Memory({ initial: pages });

/** The function, at work in that memory. */
export const createWasmFunction = (memory: WasmMemory, text: WasmFunctionText): WasmFunction =>
  new Instance(new Module(moduleOf(text)), { our: { memory } }).exports.run;
