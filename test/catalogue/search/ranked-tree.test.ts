import { describe, expect, it } from 'vitest';
import { createRankedTree } from '../../../src/catalogue/search/ranked-tree.ts';
import { createSeeded } from '../../spec/seeded.ts';

const taken = 20;

/** Entries are their own keys, ranked in another order that has nothing to do with it. */
const openTreeOf = (count: number, added: number, isSeen: boolean) => {
  const { int } = createSeeded(7);
  const ranks = Array.from({ length: count }, (_, entry) => int(0, 1_000_000) * count + entry);
  let compared = 0;
  const tree = createRankedTree({
    byKey: (a, b) => a - b,
    byRank: (a, b) => {
      compared += 1;
      return ranks[a]! - ranks[b]!;
    },
  });
  for (let entry = 0; entry < added; entry += 1) {
    tree.add(entry);
    if (isSeen && entry === 0) expect([...tree.ranked(() => 0)]).toEqual([0]);
  }

  const range = (from: number, to: number) => (entry: number) => (entry < from ? -1 : entry > to ? 1 : 0);
  return {
    tree,
    range,
    /** The first by rank, and how many times two were compared to find them. */
    firstIn: (from: number, to: number) => {
      for (const _first of tree.ranked(range(from, to))) break;
      compared = 0;
      const found: number[] = [];
      for (const entry of tree.ranked(range(from, to))) {
        found.push(entry);
        if (found.length === taken) break;
      }
      return { found, compared };
    },
    expected: (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => from + at)
        .sort((a, b) => ranks[a]! - ranks[b]!)
        .slice(0, taken),
  };
};

describe.each([
  { how: 'built from all at once', isSeen: false },
  { how: 'that grew one by one', isSeen: true },
])('a ranked tree $how', ({ isSeen }) => {
  const openTree = (count: number, added = count) => openTreeOf(count, added, isSeen);

  it('gives the first of any range by rank', () => {
    const { firstIn, expected } = openTree(5_000);
    for (const [from, to] of [
      [0, 4_999],
      [0, 0],
      [17, 18],
      [100, 3_456],
      [4_990, 4_999],
      [31, 33],
    ] as const) {
      expect(firstIn(from, to).found, `${from} to ${to}`).toEqual(expected(from, to));
    }
    expect(firstIn(6_000, 7_000).found).toEqual([]);
  });

  it('has each of them, the last that came before all others too', () => {
    const { tree, range } = openTree(201, 0);
    for (let entry = 200; entry >= 0; entry -= 1) {
      tree.add(entry);
      expect([...tree.ranked(range(entry, entry))]).toEqual([entry]);
      expect([...tree.ranked(range(entry - 1, entry - 1))]).toEqual([]);
    }
  });

  it('looks at few of them for it, however many there are', () => {
    const few = openTree(2_000).firstIn(10, 1_990).compared;
    const many = openTree(64_000).firstIn(10, 63_990).compared;
    // One more floor has to be opened for each of them: so much, and not 32 times as much.
    expect(many).toBeLessThan(few * 3);
    expect(many).toBeLessThan(10_000);
  });

  it('has nothing of what was taken away before anybody looked', () => {
    const { tree, range } = openTree(3_000);
    for (let entry = 0; entry < 3_000; entry += 2) tree.remove(entry);
    expect([...tree.ranked(range(10, 15))].sort((a, b) => a - b)).toEqual([11, 13, 15]);
  });

  it('is empty when all are gone, and takes new ones', () => {
    const { tree, range } = openTree(3_000);
    for (let entry = 2_999; entry >= 0; entry -= 1) tree.remove(entry);
    expect([...tree.ranked(range(0, 3_000))]).toEqual([]);
    tree.add(5);
    expect([...tree.ranked(range(0, 3_000))]).toEqual([5]);
  });
});
