import { type Bits, bitsOf, countBits, numbersOf, wordsFor } from './bits.ts';

/** What is looked for, once for all the pieces of a list. */
export interface SearchedPart {
  readonly text: string;
  /** What a text with that part has, in whatever order. */
  readonly keys: readonly number[];
  /** What some texts have, where one of them has the part. */
  readonly triples: readonly number[];
  /** Whether a text of bytes with all of the keys has the part, too. */
  readonly isToldByKeys: boolean;
}

/** Nobody changes what is handed out. */
export interface FoundTexts {
  readonly bits: Bits;
  readonly count: number;
}

/** Texts that are searched together, those of one piece of a list. */
export interface SearchedTexts {
  /** Those with that part, and null for none. */
  readonly having: (part: SearchedPart) => FoundTexts | null;
  readonly isIndexed: () => boolean;
  /** From then on no text is looked at that has not all that the part is made of. */
  readonly index: () => void;
}

/** Bytes are read faster than characters; of one beyond 255 the lower half will do, as it does so on both sides. */
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** A pair of characters, or behind all of these a single one. */
const pairKey = (first: number, second: number): number => (first << 8) | second;
const singleKey = (only: number): number => (1 << 16) | only;
const keysCount = (1 << 16) + (1 << 8);

const keysOf = (bytes: Uint8Array): number[] =>
  bytes.length === 1
    ? [singleKey(bytes[0]!)]
    : Array.from({ length: Math.max(0, bytes.length - 1) }, (_, at) => pairKey(bytes[at]!, bytes[at + 1]!));

const eachKey = (bytes: Uint8Array, visit: (key: number) => void): void => {
  for (let at = 0; at < bytes.length; at += 1) {
    visit(singleKey(bytes[at]!));
    if (at > 0) visit(pairKey(bytes[at - 1]!, bytes[at]!));
  }
};

/**
 * Of 512 texts with addresses some 6,000 triples of characters differ: of those that none of them has a tenth is taken for
 * one that some have, as they share a bit.
 */
const tripleBits = 1 << 16;

/** The bit of three characters. A product with a large odd number leaves what differs in the highest bits. */
const tripleAt = (bytes: Uint8Array, at: number): number =>
  Math.imul((bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!, 0x9e3779b1) >>> 16;

const triplesOf = (bytes: Uint8Array): number[] =>
  Array.from({ length: Math.max(0, bytes.length - 2) }, (_, at) => tripleAt(bytes, at));

/** The row of each key while an index is made, and one more; 0 for none. Of use to one at a time, and left empty. */
const rowsByKey = new Uint32Array(keysCount);

interface TextIndex {
  /** False: no text has all of these. Tells of a part that is in few texts where not to look for it. */
  readonly mayHave: (triples: readonly number[]) => boolean;
  /** The texts with all of the keys; null for none. */
  readonly withAll: (keys: readonly number[]) => Bits | null;
}

/** For each pair of characters, and each single one, which texts have it: some 100 kB for 512 texts with addresses. */
const createTextIndex = (texts: readonly string[]): TextIndex => {
  const words = wordsFor(texts.length);
  const bytes = texts.map(bytesOf);
  const found: number[] = [];
  for (const each of bytes) {
    eachKey(each, (key) => {
      if (rowsByKey[key] === 0) found.push(key);
      rowsByKey[key] = 1;
    });
  }
  const triples = new Uint32Array(wordsFor(tripleBits));
  for (const each of bytes) {
    for (const triple of triplesOf(each)) triples[triple >>> 5]! |= 1 << (triple & 31);
  }
  const keys = Uint32Array.from(found).sort();
  keys.forEach((key, row) => {
    rowsByKey[key] = row + 1;
  });
  const table = new Uint32Array(keys.length * words);
  bytes.forEach((each, number) => {
    eachKey(each, (key) => {
      table[(rowsByKey[key]! - 1) * words + (number >>> 5)]! |= 1 << (number & 31);
    });
  });
  for (const key of keys) rowsByKey[key] = 0;

  const rowOf = (key: number): Bits | undefined => {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return keys[low] === key ? table.subarray(low * words, (low + 1) * words) : undefined;
  };

  return {
    mayHave: (wanted) => {
      // The last ones first: names differ more in how they end than in how they begin.
      for (let at = wanted.length - 1; at >= 0; at -= 1) {
        const triple = wanted[at]!;
        if ((triples[triple >>> 5]! & (1 << (triple & 31))) === 0) return false;
      }
      return true;
    },
    withAll: (wanted) => {
      if (wanted.length === 1) return rowOf(wanted[0]!) ?? null;
      const all = new Uint32Array(words).fill(0xffffffff);
      for (const key of wanted) {
        const row = rowOf(key);
        if (row === undefined) return null;
        let left = 0;
        for (let at = 0; at < words; at += 1) {
          all[at]! &= row[at]!;
          left |= all[at]!;
        }
        if (left === 0) return null;
      }
      return all;
    },
  };
};

/** What more than this share has is remembered: only so many parts can be in that many texts. */
const rememberedShareMin = 1 / 16;
const rememberedMax = 512;

/** Whether no two characters that differ are the same byte. */
const isOfBytes = (text: string): boolean => Buffer.from(text, 'latin1').toString('latin1') === text;

export const searchedPart = (text: string): SearchedPart => {
  const bytes = bytesOf(text);
  return {
    text,
    keys: keysOf(bytes),
    triples: triplesOf(bytes),
    isToldByKeys: text.length <= 2 && isOfBytes(text),
  };
};

export const createSearchedTexts = (texts: readonly string[]): SearchedTexts => {
  const remembered = new Map<string, FoundTexts>();
  let index: TextIndex | null = null;
  let areOfBytes = false;

  const all = () => bitsOf(texts, () => true);

  /** Those of some that really have it. */
  const looked = (part: string, candidates: Bits): Bits => {
    const found = candidates.slice();
    for (const number of numbersOf(candidates)) {
      if (!texts[number]!.includes(part)) found[number >>> 5]! &= ~(1 << (number & 31));
    }
    return found;
  };

  return {
    isIndexed: () => index !== null,
    index: () => {
      index = createTextIndex(texts);
      areOfBytes = texts.every(isOfBytes);
    },
    having: ({ text, keys, triples, isToldByKeys }) => {
      if (index !== null && !index.mayHave(triples)) return null;
      const known = remembered.get(text);
      if (known !== undefined) return known;
      const candidates = index === null || text === '' ? all() : index.withAll(keys);
      if (candidates === null) return null;
      const bits = index !== null && areOfBytes && isToldByKeys ? candidates : looked(text, candidates);
      const found = { bits, count: countBits(bits) };
      if (found.count > texts.length * rememberedShareMin) {
        if (remembered.size === rememberedMax) remembered.clear();
        remembered.set(text, found);
      }
      return found.count === 0 ? null : found;
    },
  };
};

/** Pieces that are indexed in the course of one search: after a load there are many, and the first who searches must not wait. */
const indexedAtOnceMax = 16;

/**
 * Indexes the first of those that have no index yet; the others are gone through one by one meanwhile. True when all have
 * one: nobody need ask again.
 */
export const indexSome = (pieces: readonly { readonly texts: SearchedTexts }[]): boolean => {
  const waiting = pieces.filter(({ texts }) => !texts.isIndexed());
  for (const { texts } of waiting.slice(0, indexedAtOnceMax)) texts.index();
  return waiting.length <= indexedAtOnceMax;
};
