import { countMerged } from './count-merged.ts';
import { rankOf, textTokens } from './vocabulary.ts';

/**
 * How cl100k_base cuts a text into the pieces within which bytes are merged. It is the published pattern with its
 * shorthands written out, for they mean something else in JavaScript: white space is the Unicode property (`\s` has
 * U+FEFF and lacks U+0085), and the letter s, whatever its case, is also U+017F.
 * Every character belongs to a piece, and no alternative can fail after more than one walk over a run.
 */
const piece = new RegExp(
  [
    String.raw`'(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])`,
    String.raw`[^\r\n\p{L}\p{N}]?\p{L}+`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*`,
    String.raw`\p{White_Space}+$`,
    String.raw`\p{White_Space}*[\r\n]`,
    String.raw`\p{White_Space}+(?!\P{White_Space})`,
    String.raw`\p{White_Space}`,
  ].join('|'),
  'gu',
);

/** UTF-8 needs at most three bytes for a UTF-16 unit. */
const bytesPerUnitMax = 3;
const encoder = new TextEncoder();
const sharedBytes = new Uint8Array(4096);

function countPiece(text: string): number {
  if (textTokens.has(text)) return 1;
  const fits = text.length * bytesPerUnitMax <= sharedBytes.length;
  const bytes = fits ? sharedBytes : encoder.encode(text);
  const length = fits ? encoder.encodeInto(text, sharedBytes).written : bytes.length;
  return rankOf(bytes, 0, length) !== -1 ? 1 : countMerged(bytes, length);
}

/**
 * The cl100k_base tokens of a text, exactly. Special tokens such as `<|endoftext|>` are ordinary text here, and a lone
 * surrogate counts as U+FFFD. The time is near linear in the length for every text; it belongs into a thread.
 */
export function countTokens(text: string): number {
  let count = 0;
  let start = 0;
  piece.lastIndex = 0;
  while (piece.test(text)) {
    count += countPiece(text.slice(start, piece.lastIndex));
    start = piece.lastIndex;
  }
  return count;
}
