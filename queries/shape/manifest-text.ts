import { isUrl } from '../../src/kernel/address/parse-url.ts';

/** As much of a text as the manifest takes, in characters as JSON Schema counts them; undefined when nothing is left. */
export const firstCharsOf = (text: string | null, charsMax: number): string | undefined => {
  const cut = [...(text ?? '')].slice(0, charsMax).join('');
  return cut === '' ? undefined : cut;
};

/** The characters of RFC 3986. Browsers take more, and what has others is no URI to whoever checks it. */
const authority = String.raw`(?:[\w.~!$&'()*+,;=%:-]*@)?(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?`;
const rest = String.raw`[\w.~:/?@!$&'()*+,;=%-]*`;
const uri = new RegExp(`^https?://${authority}(?:[/?]${rest})?(?:#${rest})?$`, 'i');
const brokenPercent = /%(?![\da-f]{2})/i;

const isUri = (text: string): boolean => uri.test(text) && !brokenPercent.test(text);

/** The address as it is or as browsers would spell it; undefined where neither is a URI. */
export const uriOf = (address: string | null | undefined): string | undefined => {
  if (address == null || !isUrl(address)) return undefined;
  return [address, new URL(address).href].find(isUri);
};

export const httpsUriOf = (address: string | null | undefined): string | undefined => {
  const found = uriOf(address);
  return found !== undefined && /^https:/i.test(found) ? found.replace(/^https:/i, 'https:') : undefined;
};

/** Without what is undefined or empty. */
export const filled = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value as object).length > 0),
    ),
  ) as Partial<Fields>;
