import { parseUrl } from '../../kernel/address/parse-url.ts';

const addressCharsMax = 2_048;
const schemes = new Set(['http:', 'https:']);

/** What browsers drop from an address, too. */
const trimmed = (address: string): string => address.replace(/[\t\n\r]/g, '').trim();

const resolved = (address: string, base: string | null): URL | null => {
  const text = trimmed(address);
  if (text === '' || text.length > addressCharsMax) return null;
  return parseUrl(text) ?? (base === null ? null : parseUrl(text, base));
};

const isClean = (address: string): boolean =>
  // Parsing encodes blanks and control characters everywhere but in some opaque places, which http has none of.
  address.length <= addressCharsMax && !/[\s\p{Cc}\p{Cf}]/u.test(address);

/** The whole http or https address that a stranger's one means; null when it means none, or holds a credential. */
export function absoluteAddress(address: string, base: string | null): string | null {
  const url = resolved(address, base);
  if (url === null || !schemes.has(url.protocol) || url.username !== '' || url.password !== '') return null;
  return isClean(url.href) ? url.href : null;
}

/** The same for a link of a text, which may also lead to a mailbox. */
export function linkAddress(address: string, base: string | null): string | null {
  const text = trimmed(address);
  if (/^mailto:[^\s<>()]{3,300}$/i.test(text)) return text;
  return absoluteAddress(text, base);
}

/** What addresses below an element with this base are relative to. */
export const baseWithin = (base: string | null, declared: string | undefined): string | null =>
  (declared === undefined ? null : absoluteAddress(declared, base)) ?? base;
