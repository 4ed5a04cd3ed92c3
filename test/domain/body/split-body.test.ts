import { createHash } from 'node:crypto';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { describe, expect, it } from 'vitest';
import { joinParts, partBytesMax, splitText, storeText } from '../../../src/domain/body/split-body.ts';

const ownerId = 'rel_AAAAAAAAAAAAAAAAAAAAA';
const escapedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

const expectWhole = (text: string): string[] => {
  const { stored, body } = storeText(ownerId, text);
  if (body === undefined) throw new Error('expected a body');
  const sha256 = createHash('sha256').update(text).digest('hex');
  expect(stored).toEqual({ sha256, chars: text.length, parts: body.parts.length });
  expect(body.stream).toBe(`body-${ownerId}-${sha256}`);
  expect(joinParts(body.parts) === text).toBe(true);
  for (const part of body.parts) expect(escapedBytes(part)).toBeLessThanOrEqual(partBytesMax);
  return [...body.parts];
};

describe('storeText', () => {
  it('keeps a text of exactly 256 KiB in its event and puts one byte more into a body', () => {
    const fits = 'a'.repeat(partBytesMax);
    expect(storeText(ownerId, fits)).toEqual({ stored: fits });
    expect(expectWhole(`${fits}a`).map((part) => part.length)).toEqual([partBytesMax, 1]);
  });

  it('keeps the empty text', () => {
    expect(storeText(ownerId, '')).toEqual({ stored: '' });
  });

  it.each([
    ['quotes, two bytes each', '"', partBytesMax / 2],
    ['control characters, six bytes each', '\u0001', Math.floor(partBytesMax / 6)],
    ['letters of two bytes', 'é', partBytesMax / 2],
    ['letters of three bytes', '更', Math.floor(partBytesMax / 3)],
  ])('measures %s after JSON escaping and UTF-8', (_, letter, most) => {
    const fits = letter.repeat(most);
    expect(storeText(ownerId, fits)).toEqual({ stored: fits });
    expect(expectWhole(fits + letter).map((part) => part.length)).toEqual([most, 1]);
  });

  it('cuts 1,000,000 characters into as few parts as fit', () => {
    expect(expectWhole('x'.repeat(1_000_000))).toHaveLength(4);
    expect(expectWhole('\n'.repeat(1_000_000))).toHaveLength(8);
    expect(expectWhole('😀'.repeat(1_000_000))).toHaveLength(16);
  });

  it('never cuts inside a surrogate pair, wherever the pair lies at the border', () => {
    for (const before of [1, 2, 3, 4]) {
      const parts = expectWhole(`${'a'.repeat(partBytesMax - before)}😀😀`);
      expect(parts[0]?.endsWith('😀') ?? false).toBe(before === 4);
      expect(parts[1]?.startsWith('😀')).toBe(true);
    }
  });

  it('measures as JSON.stringify writes, for every kind of character', () => {
    const letters = [
      'a',
      '"',
      '\\',
      '\n',
      '\b',
      '\u0000',
      '\u001f',
      '\u007f',
      'é',
      '\u2028',
      '更',
      '😀',
      '\ud800',
      '\udc00',
    ];
    const random = xoroshiro128plus(7);
    for (let round = 0; round < 200; round += 1) {
      let text = '';
      while (text.length < 60) text += letters[uniformInt(random, 0, letters.length - 1)];
      const parts = splitText(text, 24);
      expect(joinParts(parts)).toBe(text);
      parts.forEach((part, index) => {
        expect(escapedBytes(part)).toBeLessThanOrEqual(24);
        const next = parts[index + 1];
        // As long as can be: the next part's first character would not have fitted.
        if (next !== undefined)
          expect(escapedBytes(part + String.fromCodePoint(next.codePointAt(0) ?? 0))).toBeGreaterThan(24);
      });
    }
  });
});
