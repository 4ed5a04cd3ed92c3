import { z } from 'zod';

/** Of one org or product. */
export const tags = z.strictObject({ items: z.array(z.string()) }).meta({ id: 'Tags' });
