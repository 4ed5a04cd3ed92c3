import { z } from 'zod';

/** The fields of a change: absent = keep, null = clear where the field may be empty. At least one must be sent. */
export const changeSet = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).refine((changes) => Object.keys(changes).length > 0, { error: 'nothing to update' });
