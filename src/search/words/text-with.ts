import { storedTokens } from './stored-tokens.ts';
import { type WantedTerm, wantedTerms } from './wanted-terms.ts';

const isIn = (stored: ReadonlySet<string>, { token, isPrefix }: WantedTerm): boolean => {
  if (stored.has(token)) return true;
  if (isPrefix) for (const own of stored) if (own.startsWith(token)) return true;
  return false;
};

/** Whether a text has all of what was typed, or beginnings of it: what an index says of a text that is in it. */
export const textWith = (tokens: readonly string[]): ((text: string) => boolean) => {
  const terms = wantedTerms(tokens, true);
  return (text) => {
    const stored = new Set(storedTokens(text));
    return terms.length > 0 && terms.every((term) => isIn(stored, term));
  };
};
