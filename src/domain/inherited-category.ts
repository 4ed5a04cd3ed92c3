import type { Category } from './enumerations.ts';

/** What a source and its releases are filed under: as their product, else as their org (contract 5.1, 10.3). */
export const inheritedCategory = (
  product: Category | null | undefined,
  org: Category | null | undefined,
): Category | null => product ?? org ?? null;
