import { describe, expect, it } from 'vitest';
import { createFacetedList, type FacetFilter } from '../../../src/catalogue/lists/faceted-list.ts';
import { byName } from '../../../src/domain/name-key.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';

interface Doc {
  readonly id: string;
  readonly nameKey: string;
  readonly slug: string;
}

const syllables = ['ka', 'lo', 'mi', 'ne', 'pu', 'ra', 'so', 'ti', 'ü', '😀'];
const randomText = ({ int, pick }: Seeded): string => Array.from({ length: int(1, 6) }, () => pick(syllables)).join('');

const filters: readonly FacetFilter[] = [
  { mask: 0, value: 0 },
  { mask: 1, value: 0 },
  { mask: 0b110, value: 0b100 },
  { mask: 0b111, value: 0b011 },
  { mask: 0b1000, value: 0b1000 },
];

/** So many that they lie in several pieces. */
const docsCount = 3_000;

describe('a list with facets', () => {
  const random = createSeeded(11);
  const list = createFacetedList<Doc>(({ nameKey, slug }) => [nameKey, slug]);
  const now = new Map<string, { readonly doc: Doc; readonly facets: number }>();

  const put = (id: string) => {
    const doc = { id, nameKey: randomText(random), slug: randomText(random) };
    const facets = random.int(0, 7);
    now.set(id, { doc, facets });
    list.place(id, doc, facets);
  };
  const takeOut = (id: string) => {
    now.delete(id);
    list.place(id, undefined, null);
  };
  const expected = ({ mask, value }: FacetFilter, part: string): Doc[] =>
    [...now.values()]
      .filter(({ facets, doc }) => (facets & mask) === value && [doc.nameKey, doc.slug].some((t) => t.includes(part)))
      .map(({ doc }) => doc)
      .sort(byName);

  const samePages = () => {
    for (const filter of filters) {
      for (const part of ['', 'k', 'mi', 'kalo', 'neputi', 'ü', '\n', 'no such']) {
        const all = expected(filter, part);
        const limit = random.pick([1, 20, 500, 5_000]);
        const last = Math.ceil(all.length / limit);
        for (const page of new Set([1, random.int(1, Math.max(1, last)), last + 1])) {
          const items = all.slice((page - 1) * limit, page * limit);
          const answer = { items, pagination: { page, pageSize: limit, returned: items.length } };
          const totals = { totalItems: all.length, hasMore: page * limit < all.length };
          const wanted = { filter, part, page, limit };
          const found = list.reads.page(wanted);
          expect(found).toMatchObject({ items, pagination: { ...answer.pagination, ...totals } });
          const docs = Array.from(now.values(), ({ doc }) => doc);
          expect(list.reads.pageAmong(docs, wanted)).toEqual(found);
        }
      }
    }
  };

  it('gives the pages and totals that going through all of them gives, while they come, change and go', () => {
    samePages();
    for (let number = 0; number < docsCount; number += 1) put(`d${number}`);
    samePages();
    for (let round = 0; round < 10; round += 1) {
      for (let change = 0; change < 100; change += 1) {
        const id = `d${random.int(0, docsCount)}`;
        if (random.chance(30)) takeOut(id);
        else put(id);
      }
      samePages();
    }
    // Alone, so that nothing else changes the piece it was in.
    for (const id of [...now.keys()].slice(0, 3)) {
      takeOut(id);
      samePages();
    }
    for (const id of [...now.keys()]) takeOut(id);
    samePages();
  });

  it('shows the same entity with other facets, and not those that are in no list', () => {
    const doc = { id: 'x', nameKey: 'x', slug: 'x' };
    const totalOf = (filter: FacetFilter) =>
      list.reads.page({ filter, part: '', page: 1, limit: 1 }).pagination.totalItems;
    list.place('x', doc, 0);
    expect([totalOf(filters[1]!), totalOf(filters[3]!)]).toEqual([1, 0]);
    list.place('x', doc, 0b011);
    expect([totalOf(filters[1]!), totalOf(filters[3]!)]).toEqual([0, 1]);
    list.place('x', doc, null);
    expect(totalOf(filters[0]!)).toBe(0);
    expect(list.reads.pageAmong([doc], { filter: filters[0]!, part: '', page: 1, limit: 1 }).items).toEqual([]);
  });
});
