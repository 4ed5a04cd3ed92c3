import { isUrl } from '../../kernel/address/parse-url.ts';

const charsMax = 253;
const inputCharsMax = 2048;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What is left of an address when scheme, path, credentials and port are taken away. */
const hostOf = (text: string): string =>
  text
    .trim()
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '')
    .replace(/[/?#\\].*$/s, '')
    .replace(/^.*@/s, '')
    .replace(/:\d{0,5}$/, '');

/** The name in lower-case ASCII, as it is stored and compared; null for an IP address or what is no domain. */
export const normalizeDomain = (text: string): string | null => {
  if (text.length > inputCharsMax) return null;
  const host = hostOf(text);
  // URL would drop tabs and decode escapes silently; it is asked for international names and for spellings of IPs.
  if (host === '' || /[\s%:]/.test(host) || !isUrl(`http://${host}`)) return null;
  const name = new URL(`http://${host}`).hostname.replace(/\.$/, '').replace(/^www\./, '');
  const labels = name.split('.');
  if (name.length > charsMax || labels.length < 2 || !labels.every((part) => label.test(part))) return null;
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : name;
};
