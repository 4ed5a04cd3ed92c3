import { z } from 'zod';

/** Changes of some fields, each with what its values may be; null where there was or is none. */
export const changesOf = (values: Readonly<Record<string, z.ZodType>>) => {
  const [first, ...others] = Object.entries(values).map(([field, value]) =>
    z.strictObject({ field: z.literal(field), from: value.nullable(), to: value.nullable() }),
  );
  if (first === undefined) throw new Error('there are no fields that could change');
  return z.array(z.discriminatedUnion('field', [first, ...others]));
};

/** Instead of a long text. */
export const textDigest = z
  .strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/), chars: z.int().min(1) })
  .meta({ id: 'TextDigest' });
