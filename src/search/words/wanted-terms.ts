import { foldAccents, foldCase } from './fold-text.ts';
import { type Piece, piecesOf, segmentsOf, wordsOf } from './pieces.ts';
import { hasUnspaced, pairsOf, runsOf } from './unspaced-scripts.ts';
import { cutToken, isVersion, tokenCharsMax, versionParts, withoutV } from './token-form.ts';

/** A token that must stand in the text, or begin one there. */
export interface WantedTerm {
  readonly token: string;
  readonly isPrefix: boolean;
}

/** Its characters are found wherever they stand, so nothing of them may be missing. */
const unspacedTerms = (run: string): WantedTerm[] => {
  const pairs = pairsOf(run);
  return (pairs.length === 0 ? [run] : pairs).map((token) => ({ token, isPrefix: false }));
};

const segmentWords = (segment: string): readonly string[] => {
  if (!isVersion(segment)) return wordsOf(segment);
  const { core, words } = versionParts(segment);
  return [core, ...words];
};

function pieceTerms({ sigil, body, tail }: Piece, isPrefix: boolean): WantedTerm[] {
  const whole = foldCase(isVersion(body) ? withoutV(body) : `${sigil}${body}${tail}`);
  if (!hasUnspaced(body) && whole.length <= tokenCharsMax) return [{ token: whole, isPrefix }];
  const words = segmentsOf(body).flatMap(segmentWords).flatMap(runsOf);
  return words.flatMap((word, index) =>
    hasUnspaced(word)
      ? unspacedTerms(word)
      : [{ token: cutToken(foldCase(word)), isPrefix: isPrefix && index === words.length - 1 }],
  );
}

/**
 * Bounds the work of one search: every word that 400 characters between blanks can be, and 256 characters of a script without blanks.
 * OpenSearch takes no query of more than 1,024 clauses, and each term is three.
 */
export const wantedTermsMax = 256;

/** To rank by a term costs more than to find by it: those behind so many only have to be there. */
export const rankedTermsMax = 32;

/**
 * What typed tokens ask for: a text that has all of it matches. None when nothing was typed that could stand in a text,
 * which then is found by nothing. Of more than `wantedTermsMax` the first are taken.
 */
export function wantedTerms(tokens: readonly string[], isPrefix: boolean): WantedTerm[] {
  const terms = new Map<string, WantedTerm>();
  for (const token of tokens) {
    for (const piece of piecesOf(foldAccents(token))) {
      for (const term of pieceTerms(piece, isPrefix)) {
        if (terms.size < wantedTermsMax) terms.set(term.token, term);
      }
    }
  }
  return [...terms.values()];
}
