import { byName } from '../../domain/name-key.ts';
import { type Page, pageOf, pagination } from '../../kernel/paging/page.ts';
import { createWideMap } from '../wide-map.ts';
import { type Bits, bitsOf, both, countBits, countBoth, numbersBetween } from './bits.ts';
import { createSearchedTexts, indexSome, searchedPart, type SearchedTexts } from './searched-texts.ts';
import { createSortedList } from './sorted-list.ts';

interface Named {
  readonly id: string;
  readonly nameKey: string;
}

/** Everything that a list can be filtered by, as bits of one number. */
export type Facets = number;

/** What of it is wanted: those bits with that value. */
export interface FacetFilter {
  readonly mask: Facets;
  readonly value: Facets;
}

export interface Wanted {
  readonly filter: FacetFilter;
  /** A part of the texts, in lower case; '' is in all of them. */
  readonly part: string;
  readonly page: number;
  readonly limit: number;
}

export interface FacetedList<Doc> {
  /** One page of all that are wanted. */
  readonly page: (wanted: Wanted) => Page<Doc>;
  /** All that meet the filter. */
  readonly all: (filter: FacetFilter) => Doc[];
  readonly count: (filter: FacetFilter) => number;
  /** One page of those among these, which are few. */
  readonly pageAmong: (docs: readonly Doc[], wanted: Wanted) => Page<Doc>;
}

/** One of the list, as it is as long as it stands in it. */
export interface FacetedEntry<Doc> {
  readonly doc: Doc;
  readonly facets: Facets;
}

interface Entry<Doc> extends FacetedEntry<Doc> {
  /** All that is searched of it. */
  readonly text: string;
}

type Piece<Doc> = readonly Entry<Doc>[];

/** Made when somebody asks, and as long as the piece is the same. */
interface KnownOfPiece {
  readonly counts: ReadonlyMap<Facets, number>;
  /** Those that meet a filter, by the filter; null for all. */
  readonly met: Map<string, Bits | null>;
  texts: SearchedTexts | null;
}

interface SearchedPiece<Doc> extends Pick<KnownOfPiece, 'met'> {
  readonly piece: Piece<Doc>;
  readonly texts: SearchedTexts;
}

export const meets = (facets: Facets, { mask, value }: FacetFilter): boolean => (facets & mask) === value;

const countFacets = <Doc>(piece: Piece<Doc>): ReadonlyMap<Facets, number> => {
  const counts = new Map<Facets, number>();
  for (const { facets } of piece) counts.set(facets, (counts.get(facets) ?? 0) + 1);
  return counts;
};

/** Where texts join; no name, slug or address has it. */
const separator = '\n';

/** Of one piece. There are more, but hardly anybody asks for many of them with a part of a name. */
const filtersKnownMax = 16;

/**
 * Entities by name, of which a page of any filter is found without going through all: for each piece of the list it is known
 * how many have which facets, so that only the pieces of the page are looked into, and none behind it.
 */
export const createFacetedList = <Doc extends Named>(textsOf: (doc: Doc) => readonly string[]) => {
  const list = createSortedList<Entry<Doc>>((a, b) => byName(a.doc, b.doc));
  const placed = createWideMap<Entry<Doc>>();
  const known = new WeakMap<Piece<Doc>, KnownOfPiece>();
  let searched: readonly SearchedPiece<Doc>[] | null = null;
  let areAllIndexed = false;
  /** How many of the whole list have which facets. */
  const totals = new Map<Facets, number>();

  const countIn = (facets: Facets, added: 1 | -1): void => {
    const count = (totals.get(facets) ?? 0) + added;
    if (count === 0) totals.delete(facets);
    else totals.set(facets, count);
  };

  const knownOf = (piece: Piece<Doc>): KnownOfPiece => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const made = { counts: countFacets(piece), met: new Map<string, Bits | null>(), texts: null };
    known.set(piece, made);
    return made;
  };

  const countOf = (counts: ReadonlyMap<Facets, number>, filter: FacetFilter): number => {
    let count = 0;
    for (const [facets, having] of counts) if (meets(facets, filter)) count += having;
    return count;
  };

  /** All pieces with their texts, the same list as long as nothing changes: to find each anew takes longer than to search it. */
  const searchedPieces = (): readonly SearchedPiece<Doc>[] => {
    searched ??= list.pieces().map((piece) => {
      const own = knownOf(piece);
      own.texts ??= createSearchedTexts(piece.map(({ text }) => text));
      return { piece, met: own.met, texts: own.texts };
    });
    return searched;
  };

  /** Those that meet a filter, which is known by its name; null for all. */
  const meeting = ({ piece, met }: SearchedPiece<Doc>, filter: FacetFilter, name: string): Bits | null => {
    const before = met.get(name);
    if (before !== undefined) return before;
    if (met.size === filtersKnownMax) met.clear();
    const bits = bitsOf(piece, ({ facets }) => meets(facets, filter));
    const found = countBits(bits) === piece.length ? null : bits;
    met.set(name, found);
    return found;
  };

  /** Of those with a part in their texts; each piece is asked, because nobody knows how many there are. */
  const searchedPage = (
    { filter, part }: Wanted,
    from: number,
    to: number,
  ): { readonly items: Doc[]; readonly total: number } => {
    const items: Doc[] = [];
    let total = 0;
    const pieces = searchedPieces();
    areAllIndexed ||= indexSome(pieces);
    const wanted = searchedPart(part);
    const filterName = `${filter.mask} ${filter.value}`;
    for (const searchedPiece of part.includes(separator) ? [] : pieces) {
      const { piece, texts } = searchedPiece;
      const having = texts.having(wanted);
      if (having === null) continue;
      const met = meeting(searchedPiece, filter, filterName);
      const count = met === null ? having.count : countBoth(having.bits, met);
      const isShown = total < to && total + count > from;
      if (isShown) {
        const found = met === null ? having.bits : both(having.bits, met);
        for (const number of numbersBetween(found, from - total, to - total)) items.push(piece[number]!.doc);
      }
      total += count;
    }
    return { items, total };
  };

  const facetedPage = (
    filter: FacetFilter,
    from: number,
    to: number,
  ): { readonly items: Doc[]; readonly total: number } => {
    const items: Doc[] = [];
    const total = countOf(totals, filter);
    const end = Math.min(to, total);
    let passed = 0;
    for (const piece of end > from ? list.pieces() : []) {
      if (passed >= end) break;
      const count = countOf(knownOf(piece).counts, filter);
      if (passed + count > from) {
        const entries = piece.filter(({ facets }) => meets(facets, filter));
        for (const { doc } of entries.slice(Math.max(0, from - passed), end - passed)) items.push(doc);
      }
      passed += count;
    }
    return { items, total };
  };

  const page = (wanted: Wanted): Page<Doc> => {
    const { filter, part, page: number, limit } = wanted;
    const [from, to] = [(number - 1) * limit, number * limit];
    const { items, total } = part === '' ? facetedPage(filter, from, to) : searchedPage(wanted, from, to);
    return { items, pagination: pagination(number, limit, items.length, total) };
  };

  const all = (filter: FacetFilter): Doc[] => {
    const found: Doc[] = [];
    for (const piece of list.pieces()) for (const { doc, facets } of piece) if (meets(facets, filter)) found.push(doc);
    return found;
  };

  const count = (filter: FacetFilter): number => countOf(totals, filter);

  const pageAmong = (docs: readonly Doc[], wanted: Wanted): Page<Doc> => {
    const { filter, part } = wanted;
    const isWanted = (doc: Doc): boolean => {
      const entry = placed.get(doc.id);
      if (entry === undefined || !meets(entry.facets, filter)) return false;
      return part === '' || textsOf(doc).some((text) => text.includes(part));
    };
    return pageOf(docs.filter(isWanted).sort(byName), wanted);
  };

  return {
    reads: { page, all, count, pageAmong } satisfies FacetedList<Doc>,
    /** All by name, for whoever keeps something about each piece: one that changes is another one. */
    pieces: list.pieces as () => readonly (readonly FacetedEntry<Doc>[])[],
    /** In its place, with its facets; without any it is in no list. */
    place: (id: string, doc: Doc | undefined, facets: Facets | null) => {
      const before = placed.get(id);
      if (before !== undefined && before.doc === doc && before.facets === facets) return;
      searched = null;
      areAllIndexed = false;
      if (before !== undefined) {
        list.remove(before);
        placed.delete(id);
        countIn(before.facets, -1);
      }
      if (doc === undefined || facets === null) return;
      const entry = { doc, facets, text: textsOf(doc).join(separator) };
      list.add(entry);
      placed.set(id, entry);
      countIn(facets, 1);
    },
  };
};
