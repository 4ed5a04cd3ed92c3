import { byName } from '../../domain/name-key.ts';
import { type Page, pageOf, pagination } from '../../kernel/paging/page.ts';
import { createWideMap } from '../wide-map.ts';
import { createSearchedTexts, type SearchedTexts } from './searched-texts.ts';
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
  texts: SearchedTexts | null;
}

export const meets = (facets: Facets, { mask, value }: FacetFilter): boolean => (facets & mask) === value;

const countFacets = <Doc>(piece: Piece<Doc>): ReadonlyMap<Facets, number> => {
  const counts = new Map<Facets, number>();
  for (const { facets } of piece) counts.set(facets, (counts.get(facets) ?? 0) + 1);
  return counts;
};

/** Where texts join; no name, slug or address has it. */
const separator = '\n';

/** Pieces that are marked in the course of one search: after a load there are many, and the first who searches must not wait. */
const markedAtOnceMax = 16;

/**
 * Entities by name, of which a page of any filter is found without going through all: for each piece of the list it is known
 * how many have which facets, so that only the pieces of the page are looked into, and the total is a sum.
 */
export const createFacetedList = <Doc extends Named>(textsOf: (doc: Doc) => readonly string[]) => {
  const list = createSortedList<Entry<Doc>>((a, b) => byName(a.doc, b.doc));
  const placed = createWideMap<Entry<Doc>>();
  const known = new WeakMap<Piece<Doc>, KnownOfPiece>();

  const knownOf = (piece: Piece<Doc>): KnownOfPiece => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const made = { counts: countFacets(piece), texts: null };
    known.set(piece, made);
    return made;
  };

  const countOf = (piece: Piece<Doc>, filter: FacetFilter): number => {
    let count = 0;
    for (const [facets, having] of knownOf(piece).counts) if (meets(facets, filter)) count += having;
    return count;
  };

  const textsIn = (piece: Piece<Doc>): SearchedTexts => {
    const own = knownOf(piece);
    own.texts ??= createSearchedTexts(piece.map(({ text }) => text));
    return own.texts;
  };

  /** The numbers of those that are wanted. */
  const withPart = (piece: Piece<Doc>, { filter, part }: Wanted): readonly number[] =>
    textsIn(piece)
      .having(part)
      .filter((number) => meets(piece[number]!.facets, filter));

  const markSome = () => {
    const unmarked = list
      .pieces()
      .map(textsIn)
      .filter(({ isMarked }) => !isMarked());
    for (const texts of unmarked.slice(0, markedAtOnceMax)) texts.mark();
  };

  const page = (wanted: Wanted): Page<Doc> => {
    const { filter, part, page: number, limit } = wanted;
    const [from, to] = [(number - 1) * limit, number * limit];
    const items: Doc[] = [];
    let total = 0;
    if (part !== '') markSome();
    for (const piece of part.includes(separator) ? [] : list.pieces()) {
      const found = part === '' ? null : withPart(piece, wanted);
      const count = found?.length ?? countOf(piece, filter);
      if (total < to && total + count > from) {
        const entries = found?.map((at) => piece[at]!) ?? piece.filter(({ facets }) => meets(facets, filter));
        for (const { doc } of entries.slice(Math.max(0, from - total), to - total)) items.push(doc);
      }
      total += count;
    }
    return { items, pagination: pagination(number, limit, items.length, total) };
  };

  const all = (filter: FacetFilter): Doc[] => {
    const found: Doc[] = [];
    for (const piece of list.pieces()) for (const { doc, facets } of piece) if (meets(facets, filter)) found.push(doc);
    return found;
  };

  const count = (filter: FacetFilter): number => list.pieces().reduce((sum, piece) => sum + countOf(piece, filter), 0);

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
      if (before !== undefined) {
        list.remove(before);
        placed.delete(id);
      }
      if (doc === undefined || facets === null) return;
      const entry = { doc, facets, text: textsOf(doc).join(separator) };
      list.add(entry);
      placed.set(id, entry);
    },
  };
};
