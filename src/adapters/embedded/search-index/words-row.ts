import type { SearchFilter } from '../../../ports/search-index.ts';

/** More documents than a file can hold. */
const ordinalsMax = 2 ** 32;
const dayMs = 86_400_000;
const daysMax = 65_535;

/**
 * The row of a document's words: by day, so that the newest matches can be read first without reading the others. What
 * has no date comes last.
 */
export const wordsRowOf = (ordinal: number, publishedMs: number | null): number => {
  const day = publishedMs === null ? 0 : Math.min(daysMax, Math.max(0, Math.floor(publishedMs / dayMs) + 1));
  return day * ordinalsMax + ordinal;
};

export interface RowRange {
  /** Both inclusive. */
  readonly first: number;
  readonly last: number;
}

const lastUndatedRow = ordinalsMax - 1;

/** Where the words of documents of these dates stand, the newest first: no other row need be looked at. */
export const rowRangesOf = ({ fromMs, toMs, keepsUndated = false }: SearchFilter): RowRange[] => {
  const first = fromMs === undefined ? 0 : wordsRowOf(0, fromMs);
  const last = wordsRowOf(ordinalsMax - 1, toMs ?? Number.POSITIVE_INFINITY);
  const dated = first > last ? [] : [{ first, last }];
  return keepsUndated && first > lastUndatedRow ? [...dated, { first: 0, last: lastUndatedRow }] : dated;
};

/** In SQL: which document a row of words belongs to. */
export const ordinalSql = (row: string): string => `(${row} & ${ordinalsMax - 1})`;

/** What the words of a source's documents are filtered by. No text is cut into such a token, so nobody finds them by typing it. */
export const sourceWord = (ordinal: number): string => `~${ordinal}`;
