import { createGrowingNumbers } from './growing-numbers.ts';
import { codesAtOnce, createNearCodes } from './hamming-module.ts';
import type { CodeQuery } from './sign-codes.ts';
import { createMemory, pageBytes } from './wasm-module.ts';

/** The codes of all entries of one kind and space, in memory. */
export interface CodeSet {
  /** In place of those that the document had; none takes it away. */
  readonly put: (ordinal: number, codes: Buffer) => void;
  readonly has: (ordinal: number) => boolean;
  /** The documents of about so many entries that are nearest and may be taken, in no order. */
  readonly nearest: (query: CodeQuery, wanted: WantedNear, mayTake: (ordinal: number) => boolean) => NearDocuments;
  readonly bytes: () => number;
}

export interface WantedNear {
  readonly entries: number;
  /** Of more entries, where those have fewer documents: one may have many that are near. */
  readonly documents: number;
}

export interface NearDocuments {
  readonly ordinals: ReadonlySet<number>;
  /** There is no other that may be taken. */
  readonly areAll: boolean;
}

/** Codes that are compared by one bound, before it is drawn closer. */
const stepEntries = 8_192;
// Where things stand in the memory that WebAssembly sees.
const queryAt = 0;
const nearAt = pageBytes;
const codesAt = nearAt + (stepEntries + 16) * 4;
const none = -1;
const nothingYet = (length: number): Int32Array => new Int32Array(length).fill(none);

/**
 * So many times as many as are wanted are taken by how many bits they have in common, which is quick, and then weighed. Among
 * 46,000 entries of real texts the best 600 by bits hold 99.5 of 100 true neighbours. Each that is taken costs most of a
 * hundred nanoseconds, and while the nearest are not known yet, many are taken that are left out later.
 */
const weighedShare = 4;

/** Memory is asked for by the megabyte. */
const growBytes = 1024 * 1024;

export function createCodeSet(codeBytes: number): CodeSet {
  const memory = createMemory(Math.ceil(codesAt / pageBytes));
  const nearCodes = createNearCodes(memory, codeBytes);
  let bytes = new Uint8Array(memory.buffer);
  const ordinalOf = createGrowingNumbers(nothingYet); // of the document, by entry
  const nextOf = createGrowingNumbers((length) => new Int32Array(length)); // another entry of it, by entry
  const firstOf = createGrowingNumbers(nothingYet); // its first entry, by document
  const free: number[] = [];
  const taken = createGrowingNumbers((length) => new Int32Array(length)); // what the last search found to be near
  const takenBits = createGrowingNumbers((length) => new Int32Array(length));
  let slots = 0;

  const reserveCodes = (entries: number): void => {
    const missing = codesAt + entries * codeBytes - memory.buffer.byteLength;
    if (missing <= 0) return;
    memory.grow(Math.ceil((missing + growBytes) / pageBytes));
    bytes = new Uint8Array(memory.buffer);
  };

  const takeSlot = (): number => {
    const freed = free.pop();
    if (freed !== undefined) return freed;
    slots += 1;
    // What stands behind the last one is compared with it, and is of no document.
    reserveCodes(slots + codesAtOnce);
    ordinalOf.reserve(slots + codesAtOnce);
    nextOf.reserve(slots);
    return slots - 1;
  };

  const clear = (ordinal: number): void => {
    for (let slot = firstOf.values[ordinal] ?? none; slot !== none; slot = nextOf.values[slot]!) {
      ordinalOf.values[slot] = none;
      free.push(slot);
    }
  };

  /** Leaves in `taken` those of the first that differ in no more bits, and answers how many these are. */
  const keepWithin = (count: number, bound: number): number => {
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      if (takenBits.values[index]! > bound) continue;
      taken.values[kept] = taken.values[index]!;
      takenBits.values[kept] = takenBits.values[index]!;
      kept += 1;
    }
    return kept;
  };

  /**
   * Puts the entries that differ in the fewest bits into `taken`, and answers how many: as many as are asked for, and those that
   * differ in no more than the last.
   */
  const takeWithinBits = (code: Buffer, entries: number, mayTake: (ordinal: number) => boolean): number => {
    bytes.set(code, queryAt);
    const ordinals = ordinalOf.values;
    const near = new Int32Array(memory.buffer, nearAt, stepEntries + codesAtOnce);
    const countAt = new Int32Array(codeBytes * 8 + 1);
    let bound = codeBytes * 8; // what is further away cannot be one of the nearest any more
    let within = 0; // how many were taken up to the bound
    let count = 0;
    for (let from = 0; from < slots; from += stepEntries) {
      const at = { code: codesAt + from * codeBytes, query: queryAt, out: nearAt };
      const end = nearCodes({ ...at, count: Math.min(stepEntries, slots - from), bound });
      const nearCount = (end - nearAt) / 4;
      count = keepWithin(count, bound);
      for (const numbers of [taken, takenBits]) numbers.reserve(count + nearCount);
      for (let index = 0; index < nearCount; index += 1) {
        const bits = near[index]! >>> 16;
        if (bits > bound) continue;
        const slot = from + (near[index]! & 0xffff);
        const ordinal = ordinals[slot]!;
        if (ordinal === none || !mayTake(ordinal)) continue;
        taken.values[count] = slot;
        takenBits.values[count] = bits;
        count += 1;
        countAt[bits]! += 1;
        within += 1;
        while (within - countAt[bound]! >= entries) {
          within -= countAt[bound]!;
          bound -= 1;
        }
      }
    }
    return keepWithin(count, bound);
  };

  const weightOf = (slot: number, weights: Float32Array): number => {
    const at = codesAt + slot * codeBytes;
    let weight = 0;
    for (let byte = 0; byte < codeBytes; byte += 1) weight += weights[byte * 256 + bytes[at + byte]!]!;
    return weight;
  };

  return {
    put: (ordinal, codes) => {
      firstOf.reserve(ordinal + 1);
      clear(ordinal);
      let first = none;
      for (let at = 0; at < codes.length; at += codeBytes) {
        const slot = takeSlot();
        bytes.set(codes.subarray(at, at + codeBytes), codesAt + slot * codeBytes);
        ordinalOf.values[slot] = ordinal;
        nextOf.values[slot] = first;
        first = slot;
      }
      firstOf.values[ordinal] = first;
    },
    has: (ordinal) => (firstOf.values[ordinal] ?? none) !== none,
    nearest: (query, { entries, documents }, mayTake) => {
      const count = takeWithinBits(query.code, entries * weighedShare, mayTake);
      const weights = new Float32Array(count);
      for (let index = 0; index < count; index += 1) weights[index] = weightOf(taken.values[index]!, query.weights);
      const sorted = weights.toSorted();
      const heaviest = (wanted: number): Set<number> => {
        const least = sorted.at(-wanted) ?? Number.NEGATIVE_INFINITY;
        const found = new Set<number>();
        for (let index = 0; index < count; index += 1) {
          if (weights[index]! >= least) found.add(ordinalOf.values[taken.values[index]!]!);
        }
        return found;
      };
      // What was weighed already is taken before all codes are compared again.
      let wanted = entries;
      let ordinals = heaviest(wanted);
      while (ordinals.size < documents && wanted < count) {
        wanted *= 2;
        ordinals = heaviest(wanted);
      }
      return { ordinals, areAll: count <= wanted && count < entries * weighedShare };
    },
    bytes: () =>
      memory.buffer.byteLength +
      ordinalOf.values.byteLength +
      nextOf.values.byteLength +
      firstOf.values.byteLength +
      taken.values.byteLength +
      takenBits.values.byteLength +
      free.length * 8,
  };
}
