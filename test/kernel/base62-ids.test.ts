import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base62FromHash } from '../../src/kernel/ids.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The definition, digit by digit. */
const byDefinition = (bytes: Uint8Array, length: number): string => {
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 62n ** BigInt(length);
  let text = '';
  for (; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, '0');
};

describe('base62FromHash', () => {
  it('reads the bytes as one big-endian number', () => {
    expect(base62FromHash(Uint8Array.of(0), 1)).toBe('0');
    expect(base62FromHash(Uint8Array.of(9), 1)).toBe('9');
    expect(base62FromHash(Uint8Array.of(10), 1)).toBe('A');
    expect(base62FromHash(Uint8Array.of(35), 1)).toBe('Z');
    expect(base62FromHash(Uint8Array.of(36), 1)).toBe('a');
    expect(base62FromHash(Uint8Array.of(61), 1)).toBe('z');
    expect(base62FromHash(Uint8Array.of(1, 0), 3)).toBe('048');
  });

  it('pads with zeros on the left and drops what is above the length', () => {
    expect(base62FromHash(Uint8Array.of(62), 21)).toBe('000000000000000000010');
    expect(base62FromHash(Uint8Array.of(62), 1)).toBe('0');
    expect(base62FromHash(new Uint8Array(0), 4)).toBe('0000');
  });

  it('agrees with the definition over hashes and lengths', () => {
    for (let n = 0; n < 200; n += 1) {
      const hash = createHash('sha256').update(`value ${n}`).digest();
      for (const length of [1, 6, 7, 8, 14, 21, 43])
        expect(base62FromHash(hash, length)).toBe(byDefinition(hash, length));
    }
  });

  it('reads only the view it is given', () => {
    const view = Uint8Array.of(255, 0, 10, 255).subarray(1, 3);
    expect(base62FromHash(view, 2)).toBe('0A');
  });
});
