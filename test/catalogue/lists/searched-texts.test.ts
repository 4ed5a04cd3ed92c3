import { expect, it } from 'vitest';
import { bitsOf, numbersBetween, numbersOf } from '../../../src/catalogue/lists/bits.ts';
import { createSearchedTexts, indexSome, searchedPart } from '../../../src/catalogue/lists/searched-texts.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

// The lower bytes of the last three are those of the first three.
const plain = ['a', 'n', '-'];
const letters = [...plain, 'š', 'Ů', 'ĭ'];

it.each(seedsToRun(6))('texts with a part are those that going through all of them finds (seed %i)', (seed) => {
  const { int, pick } = createSeeded(seed);
  const textOf = (from: readonly string[], lengthMax: number) =>
    Array.from({ length: int(1, lengthMax) }, () => pick(from)).join('');
  for (const from of [plain, letters]) {
    const texts = Array.from({ length: int(1, 100) }, () => textOf(from, 9));
    const searched = createSearchedTexts(texts);
    const parts = ['', ...letters, ...Array.from({ length: 40 }, () => textOf(letters, 4))];
    const expectFound = () => {
      for (const part of parts) {
        const { bits, count } = searched.having(searchedPart(part)) ?? { bits: new Uint32Array(), count: 0 };
        const expected = texts.flatMap((text, number) => (text.includes(part) ? [number] : []));
        expect(numbersOf(bits), `${part} in ${texts.join()}`).toEqual(expected);
        expect(count).toBe(expected.length);
      }
    };
    if (pick([true, false])) expectFound();
    searched.index();
    expectFound();
    expectFound(); // some are remembered now
  }
});

it('a text is found by each of its parts, also where no other text has these', () => {
  const text = 'registry';
  const searched = createSearchedTexts([text, 'other']);
  searched.index();
  for (let from = 0; from < text.length; from += 1) {
    for (let to = from + 1; to <= text.length; to += 1) {
      const found = searched.having(searchedPart(text.slice(from, to)));
      expect(numbersBetween(found!.bits, 0, 1), text.slice(from, to)).toEqual([0]);
    }
  }
});

it.each(seedsToRun(3))('some of the chosen are those of all that stand there (seed %i)', (seed) => {
  const { int, chance } = createSeeded(seed);
  const bits = bitsOf(Array.from({ length: int(1, 200) }), () => chance(40));
  const all = numbersOf(bits);
  for (let from = -3; from < all.length + 2; from += 1) {
    const to = from + int(0, 40);
    expect(numbersBetween(bits, from, to)).toEqual(all.slice(Math.max(0, from), Math.max(0, to)));
  }
});

it('of many pieces some are indexed in the course of a search, until all are', () => {
  const pieces = Array.from({ length: 40 }, (_, number) => ({ texts: createSearchedTexts([`text ${number}`]) }));
  const indexed = () => pieces.filter(({ texts }) => texts.isIndexed()).length;
  const searches = [1, 2, 3].map(() => {
    const areAllIndexed = indexSome(pieces);
    return [indexed(), areAllIndexed];
  });
  expect(searches).toEqual([
    [16, false],
    [32, false],
    [40, true],
  ]);
});
