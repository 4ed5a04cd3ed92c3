import type { WantedWords } from '../../../ports/search-index.ts';
import { type WantedTerm, wantedTerms } from '../../../search/words/wanted-terms.ts';

/** Each takes as long as all the words that begin so together. Few are typed that have more. */
const beginningsMax = 3;

/** A single character begins a tenth of all words. */
const isShort = ({ token }: WantedTerm): boolean => token.length === 1;

/** What takes so long that others shall not wait for it. */
export const hasManyBeginnings = ({ tokens, isPrefix }: WantedWords): boolean => {
  const beginnings = isPrefix ? wantedTerms(tokens, isPrefix).filter((term) => term.isPrefix) : [];
  return beginnings.length > beginningsMax || beginnings.some(isShort);
};
