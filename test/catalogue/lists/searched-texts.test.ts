import { expect, it } from 'vitest';
import { numbersOf } from '../../../src/catalogue/lists/bits.ts';
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

it('of many pieces some are indexed in the course of a search, until all are', () => {
  const pieces = Array.from({ length: 40 }, (_, number) => createSearchedTexts([`text ${number}`]));
  const indexed = () => pieces.filter((texts) => texts.isIndexed()).length;
  const counts = [1, 2, 3].map(() => {
    indexSome(pieces);
    return indexed();
  });
  expect(counts).toEqual([16, 32, 40]);
});
