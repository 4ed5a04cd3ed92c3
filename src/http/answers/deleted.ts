import { z } from 'zod';
import { timestamp } from './timestamp.ts';

/** Of a deletion that can be taken back for a while. */
export const softDeleted = z
  .strictObject({ deleted: z.literal(true), deletedAt: timestamp })
  .meta({ id: 'SoftDeleted' });
