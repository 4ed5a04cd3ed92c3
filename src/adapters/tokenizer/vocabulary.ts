import { createRequire } from 'node:module';

interface PublishedEncoder {
  /** A mark, the rank of the first token, then all tokens in the order of their ranks, in base64. */
  readonly bpe_ranks: string;
}

/** Only the data of the package: its code, which is WebAssembly, is not loaded. */
const require = createRequire(import.meta.url);
const published = require('tiktoken/encoders/cl100k_base.json') as PublishedEncoder;
const [mark, firstRank, ...tokens] = published.bpe_ranks.split(' ');
if (mark !== '!' || firstRank !== '0') throw new Error('tiktoken keeps the vocabulary in another form than before.');

/** No token is longer; the longest is a run of blanks. */
const tokenBytesMax = 128;

/** The bytes of all tokens, one after the other: token `rank` ends where token `rank + 1` starts. */
const starts = new Int32Array(tokens.length + 1);
const pool = Buffer.alloc(published.bpe_ranks.length); // base64 is longer than what it stands for
for (const [rank, token] of tokens.entries()) {
  const start = starts[rank]!;
  starts[rank + 1] = start + pool.write(token, start, 'base64');
}

/** A hash table with open addressing, about 40 % full. A slot holds rank + 1; 0 is free. */
const slots = new Int32Array(2 ** 18);
const slotMask = slots.length - 1;

/** FNV-1a, its high bits mixed into the low ones that choose the slot. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return (hash ^ (hash >>> 15)) & slotMask;
}

for (let rank = 0; rank < tokens.length; rank += 1) {
  let slot = slotOf(pool, starts[rank]!, starts[rank + 1]!);
  while (slots[slot] !== 0) slot = (slot + 1) & slotMask;
  slots[slot] = rank + 1;
}

function isToken(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
  const tokenStart = starts[rank]!;
  if (starts[rank + 1]! - tokenStart !== end - start) return false;
  for (let at = start; at < end; at += 1) {
    if (pool[tokenStart + at - start] !== bytes[at]) return false;
  }
  return true;
}

/** The token that is exactly these bytes, or -1. A low rank is merged before a high one. */
export function rankOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > tokenBytesMax) return -1;
  let slot = slotOf(bytes, start, end);
  for (let held = slots[slot]!; held !== 0; held = slots[slot]!) {
    if (isToken(held - 1, bytes, start, end)) return held - 1;
    slot = (slot + 1) & slotMask;
  }
  return -1;
}

const textOf = (_: string, rank: number): string => pool.toString('utf8', starts[rank], starts[rank + 1]);

/** The tokens that are whole characters. Most words of a text are one of them, found here without encoding them. */
export const textTokens: ReadonlySet<string> = new Set(tokens.map(textOf).filter((text) => !text.includes('\ufffd')));
