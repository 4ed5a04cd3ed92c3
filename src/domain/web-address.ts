import { cleanText } from '../kernel/text-rules.ts';
import { isUrl } from '../kernel/address/parse-url.ts';

const isWebAddress = (text: string, schemes: readonly string[]): boolean =>
  // URL drops blanks and line breaks silently; an address is stored as it was sent, so it must have none.
  !/\s/.test(text) && isUrl(text) && schemes.includes(new URL(text).protocol);

export const isHttpUrl = (text: string): boolean => isWebAddress(text, ['http:', 'https:']);

export const httpUrl = cleanText(1, 2048).refine(isHttpUrl, { error: 'must be an http or https URL' });

// Browsers read `//host` and `/\host` as another host, so one slash is a path and two are not.
const isLocalPath = (text: string): boolean => /^\/(?![/\\])\S*$/.test(text);

/** Where the link of a notice leads. */
export const noticeHref = cleanText(1, 500).refine((text) => isHttpUrl(text) || isLocalPath(text), {
  error: 'must be an http or https URL, or a path starting with one slash',
});

export const httpsUrl = cleanText(1, 2048).refine((text) => isWebAddress(text, ['https:']), {
  error: 'must be an https URL',
});
