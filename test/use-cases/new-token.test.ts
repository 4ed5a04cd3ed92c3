import { describe, expect, it } from 'vitest';
import { createTokenText } from '../../src/use-cases/new-token.ts';

const bytesOf = (bytes: readonly number[]) => {
  let next = 0;
  return {
    fraction: () => 0,
    bytes: (count: number) => Uint8Array.from({ length: count }, () => bytes[next++ % bytes.length] ?? 0),
  };
};

describe('the text of a token', () => {
  it('skips the bytes that would favour some characters', () => {
    const token = createTokenText(bytesOf([248, 255, 0, 61, 247]));
    expect(token).toMatch(/^relk_[0z]{12}_[0z]{32}$/);
  });

  it('uses every character of the alphabet equally often', () => {
    const everyByte = Array.from({ length: 256 }, (_, byte) => byte);
    const random = bytesOf(everyByte);
    const counts = new Map<string, number>();
    // 62 tokens take 44 × 62 characters = 11 times the 248 bytes that count.
    for (let token = 0; token < 62; token += 1) {
      for (const character of createTokenText(random).slice(5).replace('_', '')) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    expect(new Set(counts.values())).toEqual(new Set([44]));
  });
});
