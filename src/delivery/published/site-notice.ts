import { z } from 'zod';
import { noticePlacements } from '../../domain/enumerations.ts';
import type { SiteNoticeReplaced } from '../../domain/site-notice/events.ts';
import { publish } from './publication.ts';
import { timestamp } from './values.ts';

export const siteNoticeReplaced = publish(
  {
    active: z.boolean(),
    placement: z.enum(noticePlacements),
    dismissible: z.boolean(),
    replacedAt: timestamp,
  },
  ({ notice, replacedAt }: SiteNoticeReplaced['data']) => ({
    active: notice.active,
    placement: notice.placement,
    dismissible: notice.dismissible,
    replacedAt,
  }),
);
