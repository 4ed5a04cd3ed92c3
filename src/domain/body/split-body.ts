import { createHash } from 'node:crypto';
import type { BodyWrite } from '../../kernel/command.ts';
import { parseStream, streamOf } from '../../kernel/stream-name.ts';
import type { StoredText } from './body-ref.ts';

/** Most that one event carries of a text, in UTF-8 bytes after JSON escaping: an append has to stay under 900 KB. */
export const partBytesMax = 256 * 1024;

// One UTF-16 unit takes at most this much, as a control character does: \u0001.
const unitBytesMax = 6;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Bytes of one unit as JSON.stringify and UTF-8 write it; a surrogate here has no partner. */
const unitBytes = (unit: number): number => {
  if (unit >= 0x80) return unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? unitBytesMax : 3;
  if (unit === 0x22 || unit === 0x5c) return 2; // quote and backslash
  if (unit >= 0x20) return 1;
  return (unit >= 0x08 && unit <= 0x0a) || unit === 0x0c || unit === 0x0d ? 2 : unitBytesMax; // \b \t \n \f \r
};

/** The text in as few parts as the bound allows. */
export const splitText = (text: string, bytesMax: number = partBytesMax): string[] => {
  if (text.length * unitBytesMax <= bytesMax) return [text];
  const parts: string[] = [];
  let start = 0;
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    const isPair = isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1));
    const more = isPair ? 4 : unitBytes(unit);
    if (bytes + more > bytesMax) {
      parts.push(text.slice(start, at));
      start = at;
      bytes = 0;
    }
    bytes += more;
    at += isPair ? 2 : 1;
  }
  parts.push(text.slice(start));
  return parts;
};

export const joinParts = (parts: readonly string[]): string => parts.join('');

export const bodyStream = (ownerId: string, sha256: string): string => streamOf('body', `${ownerId}-${sha256}`);

export const bodyOwner = (stream: string): { readonly ownerId: string; readonly sha256: string } => {
  const { id } = parseStream(stream);
  const hyphen = id.lastIndexOf('-');
  return { ownerId: id.slice(0, hyphen), sha256: id.slice(hyphen + 1) };
};

/** Names every text that was begun for the owner. */
export const textsStream = (ownerId: string): string => streamOf('texts', ownerId);

/** How the owner's event holds the text: as it is, or by name with the body to be stored before that event. */
export const storeText = (ownerId: string, text: string): { stored: StoredText; body?: BodyWrite } => {
  const parts = splitText(text);
  if (parts.length === 1) return { stored: text };
  const sha256 = createHash('sha256').update(text).digest('hex');
  return {
    stored: { sha256, chars: text.length, parts: parts.length },
    body: { stream: bodyStream(ownerId, sha256), parts },
  };
};
