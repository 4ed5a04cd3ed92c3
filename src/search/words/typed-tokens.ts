/** What was typed, split at blanks of whatever kind. */
export const typedTokens = (q: string): string[] => q.split(/\s+/).filter((token) => token !== '');
