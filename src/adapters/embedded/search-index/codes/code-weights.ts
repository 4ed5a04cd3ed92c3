import {
  add,
  addFloats,
  constant,
  createWasmFunction,
  end,
  get,
  isBelow,
  load32,
  load8,
  loadFloat,
  loop,
  multiply,
  repeatIf,
  set,
  shiftLeft,
  step,
  storeFloat,
  types,
  type WasmMemory,
  zero,
} from './wasm-module.ts';

const [slot, slotsEnd, codes, weights] = [0, 1, 2, 3] as const; // parameters
const code = 4; // a local
const valuesOfByte = 256;
const numberBytes = 4;

/** What the weights of a query take: one for each byte of a code and each value of it. */
export const weightsBytes = (codeBytes: number): number => codeBytes * valuesOfByte * numberBytes;

const bodyOf = (codeBytes: number): number[] => [
  ...loop, // for each code
  ...[...get(codes), ...get(slot), ...load32, ...constant(codeBytes), ...multiply, ...add, ...set(code)],
  ...[...get(slot), ...zero],
  ...Array.from({ length: codeBytes }, (_, byte) => [
    ...[...get(weights), ...get(code), ...load8(byte), ...constant(2), ...shiftLeft, ...add],
    ...[...loadFloat(byte * valuesOfByte * numberBytes), ...addFloats],
  ]).flat(),
  ...storeFloat,
  ...[...step(slot, constant(numberBytes)), ...get(slot), ...get(slotsEnd), ...isBelow, ...repeatIf(0)],
  ...end,
  ...get(slot),
];

export interface WeighedSlots {
  /** Where the numbers of the codes stand; their weights take their places. */
  readonly slots: number;
  /** How many: at least one. */
  readonly count: number;
  readonly codes: number;
  readonly weights: number;
}

/** Sums up what each byte of a code weighs (`CodeQuery`), for codes that stand apart from each other. */
export const createWeigh = (memory: WasmMemory, codeBytes: number): ((weighed: WeighedSlots) => void) => {
  const locals = [[1, types.i32]] as const;
  const run = createWasmFunction(memory, { parameters: 4, result: types.i32, locals, body: bodyOf(codeBytes) });
  return (weighed) => {
    run(weighed.slots, weighed.slots + weighed.count * numberBytes, weighed.codes, weighed.weights);
  };
};
