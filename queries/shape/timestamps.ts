import { toTimestamp } from '../../src/kernel/dates.ts';

export const timestampOrNull = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));

/** Timestamps of one form sort as texts. */
export const laterTimestamp = (a: string, b: string): string => (a > b ? a : b);

export const newestTimestamp = (values: readonly (string | null)[]): string | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce(laterTimestamp);
};
