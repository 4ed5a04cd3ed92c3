import { describe, expect, it } from 'vitest';
import { cleanedLine, cleanedText } from '../../src/ingest/clean-text.ts';

describe('cleanedText', () => {
  it.each([
    ['U+0000 and half characters', 'a\0b\ud800c', 'a\ufffdb\ufffdc'],
    ['other control characters', 'a\x07b\x1b[31mc\x85d\x9fe', 'ab[31mcde'],
    ['line ends', 'a\r\nb\rc\n\td', 'a\nb\nc\n\td'],
    ['overrides of direction', 'photo_\u202egpj.exe\u202c', 'photo_gpj.exe'],
    ['isolates', 'a\u2066b\u2067c\u2068d\u2069', 'abcd'],
    ['marks of direction among letters that run to the right', 'a\u200eb\u200fc\u061c', 'abc'],
    ['what has no width', 'zero\u200bwidth\ufeff\u2060', 'zerowidth'],
    ['letters that nobody sees', 'a\u{e0069}\u{e0067}\u{e007f}b', 'ab'],
  ])('mends %s', (_, dirty, clean) => {
    expect(cleanedText(dirty)).toBe(clean);
  });

  it.each([
    ['marks of direction in Hebrew and Arabic', 'גרסה \u200f1.2\u200f של', 'إصدار \u200e1.2'],
    ['joiners of emoji and Persian', '👩\u200d💻', 'می\u200cخواهم'],
    ['flags of regions', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 'é ü 漢字'],
  ])('keeps %s', (_, ...texts) => {
    for (const text of texts) expect(cleanedText(text)).toBe(text);
  });
});

describe('cleanedLine', () => {
  it('is one line', () => {
    expect(cleanedLine(' \n a\t\x0b b\u2028c \u202e ')).toBe('a b c');
  });
});
