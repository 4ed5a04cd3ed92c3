/** WebAssembly compares so many bits at once. */
const blockBits = 128;
const rounds = 3;

/** As many bits as the vector has numbers, filled up to a power of two. */
export const codeBytesOf = (dimensions: number): number =>
  Math.max(blockBits, 2 ** Math.ceil(Math.log2(Math.max(1, dimensions)))) / 8;

const flips = new Map<number, Float32Array[]>();

/** The same ones always: they are part of the format of the file. */
function flipsOf(length: number): Float32Array[] {
  const known = flips.get(length);
  if (known !== undefined) return known;
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state < 0 ? -1 : 1;
  };
  const made = Array.from({ length: rounds }, () => Float32Array.from({ length }, next));
  flips.set(length, made);
  return made;
}

/**
 * Turns a vector so that every axis means as much as any other. The axes of a model are sorted by weight, and a sign says
 * nothing of weight: among 46,000 entries of real texts the 400 nearest codes hold 95.3 of 100 true neighbours when it is
 * left out, and 99.1 with it.
 */
function turned(vector: Float32Array, length: number): Float32Array {
  const values = new Float32Array(length);
  values.set(vector);
  for (const flip of flipsOf(length)) {
    for (let axis = 0; axis < length; axis += 1) values[axis]! *= flip[axis]!;
    for (let half = 1; half < length; half *= 2) {
      for (let first = 0; first < length; first += 2 * half) {
        for (let axis = first; axis < first + half; axis += 1) {
          const sum = values[axis]! + values[axis + half]!;
          values[axis + half] = values[axis]! - values[axis + half]!;
          values[axis] = sum;
        }
      }
    }
  }
  return values;
}

const signsOf = (values: Float32Array): Buffer => {
  const code = Buffer.alloc(values.length / 8);
  for (let bit = 0; bit < values.length; bit += 1) if (values[bit]! > 0) code[bit >> 3]! |= 1 << (bit & 7);
  return code;
};

/** One bit for each number of the turned vector: near vectors have many bits in common. */
export const signCode = (vector: Float32Array): Buffer => signsOf(turned(vector, codeBytesOf(vector.length) * 8));

/** What codes are compared with. */
export interface CodeQuery {
  readonly code: Buffer;
  /**
   * For each byte of a code and each value it can have, what that adds to how near it is: the larger the nearer. Sums compare
   * with those of any other query of the same length.
   */
  readonly weights: Float32Array;
}

/** By its bits: each of the eight numbers counts for its bit, and against it where the bit is not set. */
function weighByte(weights: Float32Array, first: number, values: Float32Array, firstValue: number): void {
  let none = 0;
  for (let bit = 0; bit < 8; bit += 1) none -= values[firstValue + bit]!;
  weights[first] = none;
  for (let bit = 0; bit < 8; bit += 1) {
    const above = first + (1 << bit);
    const twice = 2 * values[firstValue + bit]!;
    for (let at = first; at < above; at += 1) weights[above + at - first] = weights[at]! + twice;
  }
}

/** The query itself is not only signs: to weigh each bit by its number tells near codes apart that differ in as many. */
export function codeQuery(vector: Float32Array): CodeQuery {
  const values = turned(vector, codeBytesOf(vector.length) * 8);
  const weights = new Float32Array((values.length / 8) * 256);
  for (let byte = 0; byte < values.length / 8; byte += 1) weighByte(weights, byte * 256, values, byte * 8);
  return { code: signsOf(values), weights };
}
