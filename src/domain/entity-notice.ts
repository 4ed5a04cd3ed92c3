import { z } from 'zod';
import { filledText } from './filled-text.ts';
import { noticeHref } from './web-address.ts';

/** A short message that an org or product shows on its pages. */
export interface EntityNotice {
  readonly message: string;
  readonly linkText?: string;
  readonly coordinate?: string;
  readonly href?: string;
}

export const entityNotice = z
  .strictObject({
    message: filledText(1, 280),
    linkText: filledText(1, 60).exactOptional(),
    coordinate: filledText(1, 200).exactOptional(),
    href: noticeHref.exactOptional(),
  })
  .refine(({ linkText, coordinate, href }) => linkText === undefined || (coordinate ?? href) !== undefined, {
    path: ['linkText'],
    error: 'needs href or coordinate',
  });
