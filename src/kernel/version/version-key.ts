import { parseVersion, type Version } from './versions.ts';

/**
 * Digits that sort as the number does, whatever its size: their count comes first, and a count of more than one digit
 * after a 9. Zero has no digits.
 */
const numberKey = (digits: string): string => {
  if (digits === '0') return '0';
  return digits.length < 9 ? `${digits.length}${digits}` : `9${numberKey(String(digits.length))}${digits}`;
};

/** Ends a word below every longer one that begins with it: no word holds a blank. */
const wordEnd = ' ';
const listEnd = '0';
const noPrerelease = '3';

/** Numbers below words, fewer identifiers first, and any list of them below none at all. */
const prereleaseKey = (identifiers: readonly string[]): string => {
  if (identifiers.length === 0) return noPrerelease;
  const keys = identifiers.map((each) => (/^\d+$/.test(each) ? `1${numberKey(each)}` : `2${each}${wordEnd}`));
  return `${keys.join('')}${listEnd}`;
};

const keyOf = ({ core, post, pre }: Version): string =>
  `${core.map(numberKey).join('')}${post === null ? '0' : `1${numberKey(post)}`}${prereleaseKey(pre)}`;

/**
 * A text that sorts by its UTF-8 bytes as the version does (contract 9.3), so that an index can hold it; equal versions have
 * equal keys, and no key begins with another one. Null when the text holds no version.
 */
export const versionKey = (text: string): string | null => {
  const version = parseVersion(text);
  return version && keyOf(version);
};

/** Directly after a key, before all that are greater. */
export const afterVersionKey = (key: string): string => `${key} `;

export const compareVersionKeys = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
