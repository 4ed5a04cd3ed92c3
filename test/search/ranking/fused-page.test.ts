import { describe, expect, it } from 'vitest';
import { candidatesPerList, fuseHits, type RankedList } from '../../../src/search/ranking/fused-hits.ts';
import { depthOfPage, fusedPage, type RankedPage } from '../../../src/search/ranking/fused-page.ts';
import { wordPage } from '../../../src/search/ranking/word-page.ts';
import { createSeeded } from '../../spec/seeded.ts';

const nowMs = Date.UTC(2026, 2, 1);
const shown = () => null;

/** Lists that agree on little, each with all the documents. */
const shuffledLists = (count: number, seed: number): RankedList[] => {
  const seeded = createSeeded(seed);
  return [1, 2, 3, 4].map((number) => ({
    kind: number % 2 === 0 ? 'chunk' : 'release',
    hits: Array.from({ length: count }, (_, id) => ({ id: `doc ${id}`, order: seeded.int(0, 1_000_000_000) }))
      .sort((a, b) => a.order - b.order)
      .map(({ id }) => ({ id, score: 1 })),
  }));
};

const cut = (lists: readonly RankedList[], depth: number): RankedList[] =>
  lists.map(({ kind, hits }) => ({ kind, hits: hits.slice(0, depth) }));

type DateOf = Parameters<typeof fusedPage>[1]['dateOf'];
interface Asked {
  readonly offset: number;
  readonly limit: number;
  readonly dateOf?: DateOf;
}

/** As whoever asks an index does: deeper, as long as that is wanted. */
const askedPage = (lists: readonly RankedList[], { offset, limit, dateOf = shown }: Asked): RankedPage => {
  let depth = depthOfPage({ offset, limit });
  for (;;) {
    const page = fusedPage(cut(lists, depth), { offset, limit, depth, dateOf, nowMs });
    if (page.wantedDepth <= depth) return page;
    depth = page.wantedDepth;
  }
};

const keysOf = ({ hits }: RankedPage) => hits.map(({ kind, id }) => `${kind} ${id}`);

const everyPage = (lists: readonly RankedList[], limit: number, dateOf: DateOf = shown): string[] => {
  const seen: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = keysOf(askedPage(lists, { offset, limit, dateOf }));
    seen.push(...page);
    if (page.length < limit) return seen;
  }
};

describe('a page of fused hits', () => {
  it('is at first what fusing the lists gives', () => {
    const lists = shuffledLists(200, 1);
    const fused = fuseHits(cut(lists, candidatesPerList(0, 20)), { nowMs, dateOf: shown });
    expect(askedPage(lists, { offset: 0, limit: 20 }).hits).toEqual(fused.slice(0, 20));
  });

  it.each([1, 7, 20, 100])('meets nothing twice and everything once, %d at a time', (limit) => {
    const lists = shuffledLists(150, limit);
    const seen = everyPage(lists, limit);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(300);
  });

  it('is made of three times as many candidates as there are up to its end, and of no less than 60', () => {
    const depths = [
      [0, 20],
      [40, 20],
      [1_000, 100],
      [0, 1],
      [19, 1],
      [20, 1],
      [15, 10],
    ].map(([offset, limit]) => depthOfPage({ offset: offset!, limit: limit! }));
    expect(depths).toEqual([60, 180, 3_300, 60, 60, 120, 75]);
  });

  it('begins anywhere', () => {
    const lists = shuffledLists(100, 3);
    const [first, second] = [
      askedPage(lists, { offset: 5, limit: 10 }),
      askedPage(lists, { offset: 15, limit: 10 }),
    ].map(keysOf);
    expect(first).toHaveLength(10);
    expect(second!.filter((key) => first!.includes(key))).toEqual([]);
  });

  it('is full where most of the best are not to be shown, and still meets nothing twice', () => {
    const lists = shuffledLists(400, 5);
    const dateOf: DateOf = (_, id) => (Number(id.slice(4)) % 20 === 0 ? null : undefined);
    expect(askedPage(lists, { offset: 0, limit: 10, dateOf }).hits).toHaveLength(10);
    const seen = everyPage(lists, 6, dateOf);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(40);
  });

  it('wants no deeper lists where they are at their end', () => {
    const lists = shuffledLists(5, 1);
    const { hits, wantedDepth } = fusedPage(lists, { offset: 0, limit: 20, depth: 60, dateOf: shown, nowMs });
    expect(hits).toHaveLength(10);
    expect(wantedDepth).toBeLessThanOrEqual(60);
  });
});

describe('a page by words', () => {
  const list: RankedList = {
    kind: 'release',
    hits: [
      { id: 'old', score: 2 },
      { id: 'new', score: 2 },
      { id: 'best', score: 3 },
      { id: 'gone', score: 1 },
    ],
  };
  const dates: Record<string, number | null | undefined> = { old: 0, new: nowMs, best: null };
  const wish = { offset: 0, limit: 3, depth: 9, dateOf: (_: string, id: string) => dates[id], nowMs };

  it('is as they rank, then the newest first', () => {
    expect(keysOf(wordPage(list, wish))).toEqual(['release best', 'release new', 'release old']);
    expect(keysOf(wordPage(list, { ...wish, offset: 1, limit: 1 }))).toEqual(['release new']);
  });

  it('wants a deeper list only where there may be more', () => {
    expect(wordPage(list, { ...wish, limit: 4 }).wantedDepth).toBe(9);
    expect(wordPage(list, { ...wish, limit: 4, depth: 4 }).wantedDepth).toBeGreaterThan(4);
    expect(wordPage(list, { ...wish, depth: 4 }).wantedDepth).toBe(4);
  });
});
