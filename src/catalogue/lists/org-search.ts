import type { OrgDocument } from '../../../projections/org/org.ts';
import type { Sliced } from '../../kernel/paging/page.ts';
import { numbersBetween } from './bits.ts';
import { createSearchedTexts, indexSome, searchedPart, type SearchedTexts } from './searched-texts.ts';

/** Orgs by name, in pieces that never change. */
export type OrgPieces = readonly (readonly OrgDocument[])[];

/** By name. */
export type FoundOrgs = Sliced<OrgDocument>;

/** Between name and slug; neither has it. */
const separator = '\n';

/** Finds orgs by a part of their name or slug, in lower case. Only pieces with an org that changed are read again. */
export const createOrgSearch = () => {
  const textsByPiece = new WeakMap<readonly OrgDocument[], SearchedTexts>();

  const textsOf = (piece: readonly OrgDocument[]): SearchedTexts => {
    const known = textsByPiece.get(piece);
    if (known !== undefined) return known;
    const texts = createSearchedTexts(piece.map(({ nameKey, slug }) => `${nameKey}${separator}${slug}`));
    textsByPiece.set(piece, texts);
    return texts;
  };

  return (pieces: OrgPieces, q: string): FoundOrgs => {
    const part = searchedPart(q);
    indexSome(pieces.map(textsOf));
    const found = (q.includes(separator) ? [] : pieces).flatMap((piece) => {
      const having = textsOf(piece).having(part);
      return having === null ? [] : [{ piece, ...having }];
    });
    return {
      length: found.reduce((sum, { count }) => sum + count, 0),
      slice: (from, to) => {
        const orgs: OrgDocument[] = [];
        let passed = 0;
        for (const { piece, bits, count } of found) {
          const isAmong = passed < to && passed + count > from;
          const numbers = isAmong ? numbersBetween(bits, from - passed, to - passed) : [];
          for (const number of numbers) orgs.push(piece[number]!);
          passed += count;
        }
        return orgs;
      },
    };
  };
};
