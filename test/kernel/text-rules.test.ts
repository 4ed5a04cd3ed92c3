import { describe, expect, it } from 'vitest';
import { cleanText, cutText, isCleanText } from '../../src/kernel/text-rules.ts';

describe('isCleanText', () => {
  it.each(['', 'a', 'ü東', '😀', '\u0001\t\n', '\ufffd', '\ud83d\ude00'])('takes %j', (text) => {
    expect(isCleanText(text)).toBe(true);
  });

  it.each(['\0', 'a\0b', '\ud83d', '\ude00', 'a\ud83db', '\ude00\ud83d', '😀\ude00'])('refuses %j', (text) => {
    expect(isCleanText(text)).toBe(false);
  });
});

describe('cleanText', () => {
  const takes = (min: number, max: number, text: unknown) => cleanText(min, max).safeParse(text).success;

  it('counts characters, not UTF-16 units', () => {
    expect(takes(1, 3, 'abc')).toBe(true);
    expect(takes(1, 3, 'abcd')).toBe(false);
    expect(takes(1, 3, '😀😀😀')).toBe(true);
    expect(takes(1, 3, '😀😀😀😀')).toBe(false);
    expect(takes(1, 3, '😀😀ab')).toBe(false);
    expect(takes(1, 3, 'a'.repeat(7))).toBe(false);
  });

  it('counts the minimum the same way', () => {
    expect(takes(0, 3, '')).toBe(true);
    expect(takes(1, 3, '')).toBe(false);
    expect(takes(2, 3, '😀')).toBe(false);
    expect(takes(2, 3, '😀a')).toBe(true);
    expect(takes(3, 9, 'ab')).toBe(false);
  });

  it('refuses what is not clean or no text, with one issue', () => {
    expect(takes(0, 9, 'a\0')).toBe(false);
    expect(takes(0, 9, '\ud83d')).toBe(false);
    expect(takes(0, 9, 5)).toBe(false);
    expect(cleanText(3, 9).safeParse('\0').error?.issues).toHaveLength(1);
  });
});

describe('cutText', () => {
  it('never splits a surrogate pair', () => {
    expect(cutText('abc', 3)).toBe('abc');
    expect(cutText('abcd', 3)).toBe('abc');
    expect(cutText('ab😀', 4)).toBe('ab😀');
    expect(cutText('ab😀', 3)).toBe('ab');
    expect(cutText('a😀b', 3)).toBe('a😀');
    expect(cutText('abc', 0)).toBe('');
  });
});
