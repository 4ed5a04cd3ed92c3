import { z } from 'zod';

/** The short message of an org or product. */
export const notice = z
  .strictObject({
    message: z.string(),
    linkText: z.string().optional(),
    coordinate: z.string().optional(),
    href: z.string().optional(),
  })
  .meta({ id: 'Notice' });
