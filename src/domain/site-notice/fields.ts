import { z } from 'zod';
import { noticePlacements } from '../enumerations.ts';
import { filledText } from '../filled-text.ts';
import { noticeHref } from '../web-address.ts';

export const siteNoticeFields = z
  .strictObject({
    active: z.boolean(),
    message: filledText(1, 280),
    linkText: filledText(1, 60).exactOptional(),
    href: noticeHref.exactOptional(),
    placement: z.enum(noticePlacements),
    color: z.string().regex(/^#[0-9A-Fa-f]{6}$/, { error: 'must be # and six hex digits' }),
    dismissible: z.boolean(),
  })
  .refine(({ linkText, href }) => linkText === undefined || href !== undefined, {
    path: ['linkText'],
    error: 'needs href',
  });
