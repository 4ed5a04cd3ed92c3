import { z } from 'zod';

// In every supported Node, but not yet in the ES2023 typings.
const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed();

/** No U+0000 and no lone surrogate: both survive JSON and break stores, indexes and hashes behind it. */
export const isCleanText = (text: string): boolean => !text.includes('\0') && isWellFormed(text);

const codePointCount = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** Whether the text has min to max characters (code points), counted only where the UTF-16 length leaves a doubt. */
const hasChars = (text: string, min: number, max: number): boolean => {
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length <= max && text.length >= 2 * min) return true;
  const count = codePointCount(text);
  return count >= min && count <= max;
};

export const cleanText = (min: number, max: number) =>
  z
    .string()
    .refine(isCleanText, { error: 'must not hold U+0000 or a lone surrogate', abort: true })
    .refine((text) => hasChars(text, min, max), { error: `must have ${min} to ${max} characters` })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });

/** Trimmed, with one blank for every run of white space. */
const asOneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** A name, title or tag: what is left of it on one line is what counts. */
export const lineText = (min: number, max: number) =>
  z
    .string()
    .refine(isCleanText, { error: 'must not hold U+0000 or a lone surrogate', abort: true })
    .overwrite(asOneLine)
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not hold control characters', abort: true })
    .refine((text) => hasChars(text, min, max), { error: `must have ${min} to ${max} characters` })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });

/** The first `max` UTF-16 units, one less where that would split a surrogate pair. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
};

/** The first `max` characters (code points). */
export const firstChars = (text: string, max: number): string => {
  if (text.length <= max) return text;
  let units = 0;
  let count = 0;
  for (const char of text) {
    if (count === max) break;
    count += 1;
    units += char.length;
  }
  return text.slice(0, units);
};
