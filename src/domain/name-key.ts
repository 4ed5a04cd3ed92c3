/** What lists are sorted by: the name in lower case, compared by code units, so every store gives the same order. */
export const nameKeyOf = (name: string): string => name.toLowerCase();

interface Named {
  readonly nameKey: string;
  readonly id: string;
}

/** Name in any case, then id (contract 2.6). */
export const byName = (a: Named, b: Named): number => {
  if (a.nameKey !== b.nameKey) return a.nameKey < b.nameKey ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
};
