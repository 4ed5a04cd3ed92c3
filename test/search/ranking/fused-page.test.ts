import { describe, expect, it } from 'vitest';
import { candidatesPerList, fuseHits, type RankedList } from '../../../src/search/ranking/fused-hits.ts';
import { candidatesOfPage, fusedPage, type RankedPage } from '../../../src/search/ranking/fused-page.ts';
import { listDepthFor, listDepths } from '../../../src/search/ranking/list-depths.ts';
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

/** As an index finds approximately: of each list it misses some, others by each depth, and none where all are wanted. */
const guessed = (lists: readonly RankedList[], depth: number): RankedList[] => {
  const seeded = createSeeded(depth);
  return lists.map(({ kind, hits }) => {
    const found = hits.filter(() => seeded.int(0, 9) > 1);
    return { kind, hits: (depth < hits.length ? found : hits).slice(0, depth) };
  });
};

/** As whoever asks an index does: deeper, as long as that is wanted. */
const askedPage = (
  lists: readonly RankedList[],
  { offset, limit, dateOf = shown, find = cut }: Asked & { readonly find?: typeof cut },
): RankedPage => {
  let depth = listDepthFor(limit, candidatesOfPage({ offset, limit }));
  for (;;) {
    const depths = listDepths(limit).filter((each) => each <= depth);
    const listsByDepth = new Map(depths.map((each) => [each, find(lists, each)]));
    const page = fusedPage(listsByDepth, { offset, limit, dateOf, nowMs });
    if (page.missingDepth === null) return page;
    expect(page.missingDepth).toBeGreaterThan(depth);
    depth = page.missingDepth;
  }
};

const keysOf = ({ hits }: RankedPage) => hits.map(({ kind, id }) => `${kind} ${id}`);

const everyPage = (lists: readonly RankedList[], limit: number, dateOf: DateOf = shown, find = cut): string[] => {
  const seen: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = keysOf(askedPage(lists, { offset, limit, dateOf, find }));
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

  it.each([1, 7, 20, 60])(
    'meets nothing twice and everything once, though deeper lists begin otherwise: %d',
    (limit) => {
      const lists = shuffledLists(150, limit);
      const everyThird: DateOf = (_, id) => (Number(id.slice(4)) % 3 === 0 ? null : undefined);
      for (const [dateOf, count] of [
        [shown, 300],
        [everyThird, 100],
      ] as const) {
        const seen = everyPage(lists, limit, dateOf, guessed);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toHaveLength(count);
      }
    },
  );

  it('is ranked by three times as many candidates as there are up to its end; far behind together with others', () => {
    const candidates = [
      [0, 20],
      [40, 20],
      [1_000, 100],
      [0, 1],
      [19, 1],
      [49, 1],
      [50, 1],
      [69, 1],
      [70, 1],
      [15, 10],
    ].map(([offset, limit]) => candidatesOfPage({ offset: offset!, limit: limit! }));
    expect(candidates).toEqual([60, 180, 3_300, 3, 60, 150, 210, 210, 270, 75]);
    const lists = shuffledLists(200, 9);
    const fused = fuseHits(cut(lists, 3), { nowMs, dateOf: shown });
    expect(askedPage(lists, { offset: 0, limit: 1 }).hits).toEqual(fused.slice(0, 1));
    expect(askedPage(lists, { offset: 0, limit: 1 }).candidates).toBe(3);
  });

  it('is of lists of a few depths alone, the first of which has the candidates of a first page', () => {
    expect(listDepths(20)).toEqual([60, 120, 240, 480, 960, 1_920, 3_840, 5_000]);
    expect(listDepths(1)).toEqual(listDepths(20));
    expect(listDepths(100)).toEqual([300, 600, 1_200, 2_400, 4_800, 5_000]);
    expect([1, 60, 61, 5_000, 9_000].map((wanted) => listDepthFor(20, wanted))).toEqual([60, 60, 120, 5_000, 5_000]);
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

  it('wants no deeper lists where they are at their end, or as deep as can be', () => {
    const few = fusedPage(new Map([[60, shuffledLists(5, 1)]]), { offset: 0, limit: 20, dateOf: shown, nowMs });
    expect(few.hits).toHaveLength(10);
    expect(few.missingDepth).toBe(null);
    const endless = shuffledLists(5_001, 2);
    expect(askedPage(endless, { offset: 0, limit: 20, dateOf: () => undefined }).hits).toEqual([]);
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
    expect(wordPage(list, { ...wish, limit: 4 }).missingDepth).toBe(null);
    expect(wordPage(list, { ...wish, limit: 4, depth: 4 }).missingDepth).toBeGreaterThan(4);
    expect(wordPage(list, { ...wish, depth: 4 }).missingDepth).toBe(null);
    const hits = Array.from({ length: 5_000 }, () => ({ id: 'gone', score: 1 }));
    expect(wordPage({ ...list, hits }, { ...wish, depth: 5_000 }).missingDepth).toBe(null);
  });
});
