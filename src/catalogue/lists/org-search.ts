import type { OrgDocument } from '../../../projections/org/org.ts';
import type { Sliced } from '../../kernel/paging/page.ts';
import { numbersBetween } from './bits.ts';
import { createSearchedTexts, type FoundTexts, indexSome, searchedPart, type SearchedTexts } from './searched-texts.ts';

/** Orgs by name, in pieces that never change. */
export type OrgPieces = readonly (readonly OrgDocument[])[];

/** By name. */
export type FoundOrgs = Sliced<OrgDocument>;

/** Between name and slug; neither has it. */
const separator = '\n';

interface SearchedPiece {
  readonly piece: readonly OrgDocument[];
  readonly texts: SearchedTexts;
}

/** All pieces of a list. */
interface SearchedList {
  readonly pieces: readonly SearchedPiece[];
  areAllIndexed: boolean;
}

/** Finds orgs by a part of their name or slug, in lower case. Only pieces with an org that changed are read again. */
export const createOrgSearch = () => {
  const textsByPiece = new WeakMap<readonly OrgDocument[], SearchedTexts>();
  const searchedLists = new WeakMap<OrgPieces, SearchedList>();

  const textsOf = (piece: readonly OrgDocument[]): SearchedTexts => {
    const known = textsByPiece.get(piece);
    if (known !== undefined) return known;
    const texts = createSearchedTexts(piece.map(({ nameKey, slug }) => `${nameKey}${separator}${slug}`));
    textsByPiece.set(piece, texts);
    return texts;
  };

  /** The same as long as nothing changes: to find the texts of each piece takes longer than to search them. */
  const searchedList = (pieces: OrgPieces): SearchedList => {
    const known = searchedLists.get(pieces);
    if (known !== undefined) return known;
    const list = { pieces: pieces.map((piece) => ({ piece, texts: textsOf(piece) })), areAllIndexed: false };
    searchedLists.set(pieces, list);
    return list;
  };

  return (pieces: OrgPieces, q: string): FoundOrgs => {
    const part = searchedPart(q);
    const list = searchedList(pieces);
    list.areAllIndexed ||= indexSome(list.pieces);
    const found: (FoundTexts & Pick<SearchedPiece, 'piece'>)[] = [];
    let length = 0;
    for (const { piece, texts } of q.includes(separator) ? [] : list.pieces) {
      const having = texts.having(part);
      if (having === null) continue;
      found.push({ piece, bits: having.bits, count: having.count });
      length += having.count;
    }
    return {
      length,
      slice: (from, to) => {
        const orgs: OrgDocument[] = [];
        let passed = 0;
        for (const { piece, bits, count } of found) {
          if (passed >= to) break;
          const numbers = passed + count > from ? numbersBetween(bits, from - passed, to - passed) : [];
          for (const number of numbers) orgs.push(piece[number]!);
          passed += count;
        }
        return orgs;
      },
    };
  };
};
