import { z } from 'zod';
import { cleanText } from '../kernel/text-rules.ts';
import { filledText } from './filled-text.ts';
import { isHttpUrl } from './web-address.ts';

/** A short message that an org or product shows on its pages. */
export interface EntityNotice {
  readonly message: string;
  readonly linkText?: string;
  readonly coordinate?: string;
  readonly href?: string;
}

// Browsers read `//host` and `/\host` as another host, so one slash is a path and two are not.
const isLocalPath = (text: string): boolean => /^\/(?![/\\])\S*$/.test(text);

export const entityNotice = z
  .strictObject({
    message: filledText(1, 280),
    linkText: filledText(1, 60).exactOptional(),
    coordinate: filledText(1, 200).exactOptional(),
    href: cleanText(1, 500)
      .refine((text) => isHttpUrl(text) || isLocalPath(text), {
        error: 'must be an http or https URL, or a path starting with one slash',
      })
      .exactOptional(),
  })
  .refine(({ linkText, coordinate, href }) => linkText === undefined || (coordinate ?? href) !== undefined, {
    path: ['linkText'],
    error: 'needs href or coordinate',
  });
