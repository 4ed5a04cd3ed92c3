import { isDeepStrictEqual } from 'node:util';

/** Those of the wanted fields that differ from what is stored; null when none does. */
export function changedFields<Fields extends object>(stored: Fields, wanted: Partial<Fields>): Partial<Fields> | null {
  const changed: Partial<Fields> = {};
  for (const field of Object.keys(wanted) as (keyof Fields)[]) {
    const value = wanted[field];
    if (value !== undefined && !isDeepStrictEqual(value, stored[field])) changed[field] = value;
  }
  return Object.keys(changed).length === 0 ? null : changed;
}
