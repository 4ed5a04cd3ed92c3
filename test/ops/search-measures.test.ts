import { describe, expect, it } from 'vitest';
import { ndcg, recall, reciprocalRank } from '../../ops/bench/search-quality/measures.ts';

const grades = new Map([
  ['near', 1],
  ['exact', 3],
  ['clear', 2],
]);
const strangers = (count: number): string[] => Array.from({ length: count }, (_, index) => `stranger ${index}`);

// Gains 7, 3 and 1; discounts log2 of 2, 3, 4: the best order is worth 7 + 3 / 1.58496 + 1 / 2 = 9.39279.
describe('nDCG', () => {
  it('is 1 for the best order, whatever comes behind', () => {
    expect(ndcg(['exact', 'clear', 'near', ...strangers(20)], grades)).toBe(1);
  });

  it('is lower the further down a good answer stands', () => {
    // 1 + 7 / 1.58496 + 3 / 2 = 6.91651
    expect(ndcg(['near', 'exact', 'clear'], grades)).toBeCloseTo(0.73636, 5);
    // 7 / log2(4) = 3.5
    expect(ndcg([...strangers(2), 'exact'], grades)).toBeCloseTo(0.37263, 5);
  });

  it('looks at the first ten only', () => {
    // 7 / log2(11) = 2.02344
    expect(ndcg([...strangers(9), 'exact'], grades)).toBeCloseTo(0.21543, 5);
    expect(ndcg([...strangers(10), 'exact'], grades)).toBe(0);
  });

  it('can be 1 where more was judged than is looked at', () => {
    const many = new Map(strangers(12).map((id) => [id, 2]));
    expect(ndcg(strangers(12), many)).toBe(1);
  });

  it('gains nothing from a release that is listed twice, nor loses by it', () => {
    expect(ndcg(['exact', 'exact', 'clear', 'near'], grades)).toBe(1);
  });

  it('means nothing where nothing is judged', () => {
    expect(() => ndcg(['exact'], new Map())).toThrow('nothing is judged');
  });
});

describe('recall', () => {
  it('is the share of what was judged among the first twenty', () => {
    expect(recall(['exact', ...strangers(18), 'near', 'clear'], grades)).toBeCloseTo(2 / 3, 10);
    expect(recall(['clear', 'near', 'exact'], grades)).toBe(1);
    expect(recall([], grades)).toBe(0);
  });

  it('counts a release that is listed twice once', () => {
    expect(recall(['exact', 'exact', 'exact'], grades)).toBeCloseTo(1 / 3, 10);
  });

  it('means nothing where nothing is judged', () => {
    expect(() => recall(['exact'], new Map())).toThrow('nothing is judged');
  });
});

describe('the reciprocal rank', () => {
  it('is one divided by the place of the first that was judged', () => {
    expect(reciprocalRank(['near', 'exact'], grades)).toBe(1);
    expect(reciprocalRank([...strangers(3), 'exact', 'clear'], grades)).toBe(0.25);
    expect(reciprocalRank(strangers(50), grades)).toBe(0);
  });
});
