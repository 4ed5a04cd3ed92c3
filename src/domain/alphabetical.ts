/** By code units, so that every store gives the same order. */
export const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Any case first, so that `Zoo` follows `apple`; by code units, so that every store gives the same order. */
export const compareAlphabetically = (a: string, b: string): number =>
  compareCodeUnits(a.toLowerCase(), b.toLowerCase()) || compareCodeUnits(a, b);

/** Each text once, in the order that lists show. Stored so, sending the same set in another order changes nothing. */
export const alphabeticalSet = (texts: readonly string[]): string[] => [...new Set(texts)].sort(compareAlphabetically);
