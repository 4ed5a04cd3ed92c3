import published from 'gpt-tokenizer/bpeRanks/cl100k_base';

/** No token is longer; the longest is a run of blanks. */
const tokenBytesMax = 128;

/** UTF-8 needs at most three bytes for a UTF-16 unit. */
const bytesPerUnitMax = 3;

/** The bytes of all tokens, one after the other: token `rank` ends where token `rank + 1` starts. */
const starts = new Int32Array(published.length + 1);
const pool = new Uint8Array(published.reduce((sum, token) => sum + token.length, 0) * bytesPerUnitMax);
const encoder = new TextEncoder();
published.forEach((token, rank) => {
  const start = starts[rank]!;
  if (typeof token !== 'string') pool.set(token, start);
  const length = typeof token === 'string' ? encoder.encodeInto(token, pool.subarray(start)).written : token.length;
  starts[rank + 1] = start + length;
});

/** A hash table with open addressing, about 40 % full. A slot holds rank + 1; 0 is free. */
const slots = new Int32Array(2 ** 18);
const slotMask = slots.length - 1;

/** FNV-1a, its high bits mixed into the low ones that choose the slot. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return (hash ^ (hash >>> 15)) & slotMask;
}

for (let rank = 0; rank < published.length; rank += 1) {
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

/** The tokens that are published as text. Most words of a text are one of them, found here without encoding them. */
export const textTokens: ReadonlySet<string> = new Set(published.filter((token) => typeof token === 'string'));
