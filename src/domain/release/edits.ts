import { isDeepStrictEqual } from 'node:util';
import { storeText } from '../body/split-body.ts';
import type { EditsConfirmed, GivenChanges, ReleaseDerived, ReleaseEvent, ReleaseGiven } from './events.ts';
import type { SentFields } from './fields.ts';

/**
 * By each field that somebody has edited: what its source told before, in every way in which it can tell the same again.
 * A value that only repeated what was derived was not stored as a given one.
 */
export type Edits = Readonly<Record<string, readonly unknown[]>>;

export const noEdits: Edits = {};

interface Before {
  readonly edits: Edits;
  readonly given: ReleaseGiven;
  readonly derived: ReleaseDerived;
}

const withoutFields = (edits: Edits, fields: readonly string[]): Edits =>
  fields.some((field) => Object.hasOwn(edits, field))
    ? Object.fromEntries(Object.entries(edits).filter(([field]) => !fields.includes(field)))
    : edits;

/** After a revision: an edit is remembered with what was there before it, and forgotten when the source tells something new. */
export function editsAfter({ edits, given, derived }: Before, changed: GivenChanges, isEdit: boolean): Edits {
  const fields = Object.keys(changed);
  if (!isEdit) return withoutFields(edits, fields);
  const givenValues: Readonly<Record<string, unknown>> = { ...given };
  const derivedValues: Readonly<Record<string, unknown>> = { ...derived };
  const told = fields
    .filter((field) => !Object.hasOwn(edits, field))
    .map((field) => {
      const before = givenValues[field];
      return [field, before === undefined ? [null, derivedValues[field] ?? null] : [before]] as const;
    });
  return told.length === 0 ? edits : { ...edits, ...Object.fromEntries(told) };
}

export const editsAfterConfirmed = (edits: Edits, { fields }: EditsConfirmed['data']): Edits =>
  withoutFields(edits, fields);

/** What a fetch tells, without what it told before somebody edited it (contract 14.4). */
export function withoutEdited<Sent extends SentFields>(sent: Sent, edits: Edits, releaseId: string): Partial<Sent> {
  const isRepeated = (field: string, value: unknown): boolean => {
    if (value === undefined || !Object.hasOwn(edits, field)) return false;
    const stored = field === 'content' ? storeText(releaseId, value as string).stored : value;
    return edits[field]!.some((told) => isDeepStrictEqual(told, stored));
  };
  return Object.fromEntries(
    Object.entries(sent).filter(([field, value]) => !isRepeated(field, value)),
  ) as Partial<Sent>;
}

/**
 * Where a fetch tells something else than before the edit, and nothing is revised by it, it tells just what was edited. That
 * has to be kept, or else the source could not go back to what it told before.
 */
export function editsConfirmedBy(told: SentFields, edits: Edits, revised: readonly ReleaseEvent[]): EditsConfirmed[] {
  const changed = revised.flatMap((event) => (event.type === 'ReleaseRevised.v1' ? Object.keys(event.data.given) : []));
  const fields = (Object.keys(told) as (keyof SentFields)[]).filter(
    (field) => told[field] !== undefined && Object.hasOwn(edits, field) && !changed.includes(field),
  );
  return fields.length === 0 ? [] : [{ type: 'EditsConfirmed.v1', data: { fields } }];
}
