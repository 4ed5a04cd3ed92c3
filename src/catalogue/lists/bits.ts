/** Some of the items of a piece of a list: a bit for each, by its number. */
export type Bits = Uint32Array;

const bitsPerWord = 32;

/** So many numbers of 32 bits hold a bit for each item. */
export const wordsFor = (itemCount: number): number => Math.ceil(itemCount / bitsPerWord);

/** The items that are chosen. */
export const bitsOf = <Item>(items: readonly Item[], isChosen: (item: Item) => boolean): Bits => {
  const bits = new Uint32Array(wordsFor(items.length));
  for (let number = 0; number < items.length; number += 1) {
    if (isChosen(items[number]!)) bits[number >>> 5]! |= 1 << (number & 31);
  }
  return bits;
};

/** Those that are in both. */
export const both = (a: Bits, b: Bits): Bits => {
  const bits = new Uint32Array(a.length);
  for (let at = 0; at < a.length; at += 1) bits[at] = a[at]! & b[at]!;
  return bits;
};

/** The bits of each pair are added up, then those of each four, of each eight, and all of them by one product. */
const countInWord = (bits: number): number => {
  let word = bits - ((bits >>> 1) & 0x55555555);
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

export const countBits = (bits: Bits): number => {
  let count = 0;
  for (let at = 0; at < bits.length; at += 1) count += countInWord(bits[at]!);
  return count;
};

export const countBoth = (a: Bits, b: Bits): number => {
  let count = 0;
  for (let at = 0; at < a.length; at += 1) count += countInWord(a[at]! & b[at]!);
  return count;
};

/** Ascending. */
export const numbersOf = (bits: Bits): number[] => {
  const numbers: number[] = [];
  for (let at = 0; at < bits.length; at += 1) {
    for (let word = bits[at]!; word !== 0; word &= word - 1) {
      numbers.push(at * bitsPerWord + (bitsPerWord - 1 - Math.clz32(word & -word)));
    }
  }
  return numbers;
};

/** Those of them from one place up to another, ascending; what lies outside is only counted. */
export const numbersBetween = (bits: Bits, from: number, to: number): number[] => {
  const numbers: number[] = [];
  let passed = 0;
  for (let at = 0; at < bits.length && passed < to; at += 1) {
    const count = countInWord(bits[at]!);
    if (passed + count > from) {
      const found = numbersOf(bits.subarray(at, at + 1)).slice(Math.max(0, from - passed), to - passed);
      for (const number of found) numbers.push(at * bitsPerWord + number);
    }
    passed += count;
  }
  return numbers;
};
