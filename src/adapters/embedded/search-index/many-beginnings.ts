import type { WantedWords } from '../../../ports/search-index.ts';
import { wantedTerms } from '../../../search/words/wanted-terms.ts';

/** Each takes as long as all the words that begin so together. Few are typed that have more. */
const beginningsMax = 3;

/** What takes so long that others shall not wait for it. */
export const hasManyBeginnings = ({ tokens, isPrefix }: WantedWords): boolean =>
  isPrefix && wantedTerms(tokens, isPrefix).filter((term) => term.isPrefix).length > beginningsMax;
