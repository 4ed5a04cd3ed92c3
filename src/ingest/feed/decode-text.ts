/** What 0x80 to 0x9f are in windows-1252. Some versions of Node decode them as the control characters of ISO 8859-1. */
const windows1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/** Where an XML declaration stands, junk before it included. */
const declarationBytesMax = 1_024;

/** Their text is ASCII and always decodes as UTF-8 too, so what was said about it has to be believed. */
const asciiEncodings = new Set(['iso-2022-jp', 'utf-16le', 'utf-16be']);

const decoderOf = (label: string | undefined, fatal: boolean): InstanceType<typeof TextDecoder> | null => {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label.trim(), { fatal });
  } catch (error) {
    // Nobody knows this encoding, or nobody knows it strictly; others are tried then.
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
};

const decodeStrictly = (bytes: Uint8Array, label: string): string | null => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

/** UTF-16 tells itself by the zero beside the first character of any markup or JSON. */
function encodingByFirstBytes([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : null;
}

const declaredIn = (bytes: Uint8Array): string | undefined => {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, declarationBytesMax));
  return /<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(start)?.[1];
};

const charsetIn = (contentType: string | undefined): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];

const decodeWindows1252 = (bytes: Uint8Array): string =>
  new TextDecoder('windows-1252')
    .decode(bytes)
    .replace(/[\x80-\x9f]/g, (char) => windows1252[char.charCodeAt(0) - 0x80]!);

/** UTF-8 with a slip in it has more characters that were right than such that were not. */
function utf8WithSlips(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  let [right, wrong] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0xfffd) wrong += 1;
    else if (code > 0x7f) right += 1;
  }
  return right > wrong ? text : null;
}

/**
 * The text of a document that says in up to three places which encoding it has, and lies in some of them. What decodes
 * as UTF-8 to the last byte is UTF-8, whatever was said; nothing else looks like it by chance.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const byFirstBytes = encodingByFirstBytes(bytes);
  if (byFirstBytes !== null) return new TextDecoder(byFirstBytes).decode(bytes);
  const said = [charsetIn(contentType), declaredIn(bytes)].map((label) => decoderOf(label, false)?.encoding);
  const ascii = said.find((encoding) => encoding === 'iso-2022-jp');
  if (ascii !== undefined) return new TextDecoder(ascii).decode(bytes);
  const utf8 = decodeStrictly(bytes, 'utf-8');
  if (utf8 !== null) return utf8;
  for (const encoding of said) {
    if (encoding === undefined || encoding === 'utf-8' || asciiEncodings.has(encoding)) continue;
    if (encoding === 'windows-1252') return decodeWindows1252(bytes);
    const text = decodeStrictly(bytes, encoding);
    if (text !== null) return text;
  }
  return utf8WithSlips(bytes) ?? decodeWindows1252(bytes);
}
