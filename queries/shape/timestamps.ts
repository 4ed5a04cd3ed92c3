import { toTimestamp } from '../../src/kernel/dates.ts';

export const timestampOrNull = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));

/** Timestamps of one form sort as texts. */
export const newestTimestamp = (values: readonly (string | null)[]): string | null =>
  values.reduce((newest, value) => (value !== null && (newest === null || value > newest) ? value : newest), null);
