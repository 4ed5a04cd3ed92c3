import { z } from 'zod';

// The kinds of value that may leave, beside ids, enumerations and booleans. None can hold a text that somebody wrote.

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' });

export const count = z.int().min(0);

export interface FieldNames<Name extends string> {
  readonly schema: z.ZodType<Name[]>;
  /** Which of the fields are there, whatever their values. */
  readonly of: (values: object) => Name[];
}

/** The fields of a type, given as a record so that leaving one out does not compile. */
export const fieldNames = <Fields extends object>(
  record: Readonly<Record<keyof Fields & string, true>>,
): FieldNames<keyof Fields & string> => {
  const names = Object.keys(record) as (keyof Fields & string)[];
  return { schema: z.array(z.enum(names)), of: (values) => names.filter((name) => Object.hasOwn(values, name)) };
};
