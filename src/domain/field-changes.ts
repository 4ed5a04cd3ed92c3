import { isDeepStrictEqual } from 'node:util';

/** One field of something, before and after; null where it had no value. */
export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value as object).length === 0);

/** What something began with: what is empty, or not so, is not worth telling. */
export const firstChanges = (fields: Fields): FieldChange[] =>
  Object.entries(fields).flatMap(([field, to]) => (isEmpty(to) ? [] : [{ field, from: null, to }]));

/** The fields that differ. */
export const fieldChanges = (before: Fields, after: Fields): FieldChange[] =>
  Object.entries(after).flatMap(([field, to]) => {
    const from = before[field] ?? null;
    return isDeepStrictEqual(from, to) ? [] : [{ field, from, to }];
  });
