import { z } from 'zod';
import { noticePlacements } from '../../domain/enumerations.ts';
import { timestamp } from './timestamp.ts';

const siteNotice = z
  .strictObject({
    active: z.boolean(),
    message: z.string(),
    linkText: z.string().optional(),
    href: z.string().optional(),
    placement: z.enum(noticePlacements),
    color: z.string(),
    dismissible: z.boolean(),
    updatedAt: timestamp,
  })
  .meta({ id: 'SiteNotice' });

export const shownSiteNotice = z.strictObject({ notice: siteNotice.nullable() });
