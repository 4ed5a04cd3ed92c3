import { isDeepStrictEqual } from 'node:util';
import type { StoredText } from '../body/body-ref.ts';
import type { GivenChanges, ReleaseGiven } from './events.ts';
import type { SentFields } from './fields.ts';

/** Sent fields with the text in the form in which it is stored. */
type StorableFields = Omit<SentFields, 'content'> & { readonly content?: StoredText | undefined };

/** The sent fields that differ from the given ones; what was derived is not compared, so sending it makes it given. */
export const givenChanges = (given: ReleaseGiven, sent: StorableFields): GivenChanges => {
  const current: Readonly<Record<string, unknown>> = { ...given };
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(sent)) {
    if (value !== undefined && !isDeepStrictEqual(value, current[field] ?? null)) changes[field] = value;
  }
  return changes;
};
