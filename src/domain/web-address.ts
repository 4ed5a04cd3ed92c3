import { cleanText } from '../kernel/text-rules.ts';

const isWebAddress = (text: string, schemes: readonly string[]): boolean =>
  // URL drops blanks and line breaks silently; an address is stored as it was sent, so it must have none.
  !/\s/.test(text) && URL.canParse(text) && schemes.includes(new URL(text).protocol);

export const isHttpUrl = (text: string): boolean => isWebAddress(text, ['http:', 'https:']);

export const httpUrl = cleanText(1, 2048).refine(isHttpUrl, { error: 'must be an http or https URL' });

export const httpsUrl = cleanText(1, 2048).refine((text) => isWebAddress(text, ['https:']), {
  error: 'must be an https URL',
});
