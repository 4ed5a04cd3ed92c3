import { z } from 'zod';
import { timestamp } from './timestamp.ts';

/** Of a deletion that can be taken back for a while. */
const softDeleted = z.strictObject({ deleted: z.literal(true), deletedAt: timestamp }).meta({ id: 'SoftDeleted' });

/** Of a deletion for good: what is left of it goes in the background. */
const hardDeleted = z.strictObject({ deleted: z.literal(true), hard: z.literal(true) }).meta({ id: 'HardDeleted' });

export const deletedEntity = z.union([softDeleted, hardDeleted]).meta({ id: 'DeletedEntity' });
