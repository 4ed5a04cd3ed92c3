import { isDeepStrictEqual } from 'node:util';
import type { StoredText } from '../body/body-ref.ts';
import type { GivenChanges, ReleaseDerived, ReleaseGiven } from './events.ts';
import type { SentFields } from './fields.ts';

/** Sent fields with the text in the form in which it is stored. */
type StorableFields = Omit<SentFields, 'content'> & { readonly content?: StoredText | undefined };

/**
 * The sent fields that differ from what is stored. With derived values at hand, one that merely repeats what is derived
 * already does not differ; without them it does, and becomes a given value that stays. Null only takes back given ones.
 */
export const givenChanges = (
  given: ReleaseGiven,
  sent: StorableFields,
  derived: Partial<ReleaseDerived> = {},
): GivenChanges => {
  const givenValues: Readonly<Record<string, unknown>> = { ...given };
  const shownValues: Readonly<Record<string, unknown>> = { ...derived, ...given };
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(sent)) {
    const current = (value === null ? givenValues : shownValues)[field] ?? null;
    if (value !== undefined && !isDeepStrictEqual(value, current)) changes[field] = value;
  }
  return changes;
};
