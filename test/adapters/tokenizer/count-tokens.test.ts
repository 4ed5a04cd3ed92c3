import { get_encoding } from 'tiktoken';
import { afterAll, describe, expect, it } from 'vitest';
import { countTokens } from '../../../src/adapters/tokenizer/count-tokens.ts';
import { createSeeded } from '../../spec/seeded.ts';

/** Who cl100k_base comes from: its own code, as WebAssembly. Names of special tokens are ordinary text. */
const tiktoken = get_encoding('cl100k_base');
afterAll(() => tiktoken.free());
const reference = (text: string): number => tiktoken.encode(text, [], []).length;
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset));
const specials = ['<|endoftext|>', '<|fim_prefix|>', '<|im_start|>', '<|endofprompt|>', '<|'];
const words = [
  'the',
  ' release',
  'Fixed',
  "'s",
  "'LL",
  "'re",
  "don't",
  ' ',
  '\n',
  '2.10.0',
  '##',
  '- ',
  '`x`',
  ':',
  'é',
];
const alphabets: Record<string, string[]> = {
  'one letter': ['a'],
  'two letters': ['a', 'b'],
  letters: range(0x61, 0x7a),
  ASCII: range(0x20, 0x7e),
  'control characters': range(0, 0x9f),
  digits: ['0', '1', '9', '٣', '½', 'Ⅷ'],
  punctuation: range(0x21, 0x2f),
  apostrophes: ["'", 's', 'S', 'll', 'Re', 'vE', 't', ' '],
  blanks: [' '],
  newlines: ['\n'],
  'white space': [' ', ' ', '\t', '\n', '\r', '\r\n', '\v', '\f', '\u00a0', '\u2003', '\u2028', '\u3000', '\u0085'],
  'white space and words': [' ', '  ', '\n', '\r\n', '\t', '\u00a0', 'word', '!', '7'],
  'Latin beyond ASCII': range(0xa0, 0x24f),
  'combining marks': ['e', 'o', ...range(0x300, 0x36f)],
  Cyrillic: range(0x400, 0x4ff),
  'Arabic and Hebrew': range(0x5d0, 0x6ff),
  Devanagari: range(0x900, 0x97f),
  kana: range(0x3040, 0x30ff),
  CJK: range(0x4e00, 0x9fff),
  Hangul: range(0xac00, 0xd7a3),
  'one emoji': ['😀'],
  emoji: [...range(0x1f300, 0x1f64f), '\u200d', '\ufe0f', '👨‍👩‍👧', '🇩🇪'],
  'mathematical letters': range(0x1d400, 0x1d7ff),
  'lone surrogates': ['\ud800', '\udfff', '\ud83d', '\udc00', 'a', ' ', '\ufffd'],
  'private use and unassigned': [...range(0xe000, 0xe0ff), '\uffff', '\u{10ffff}', '\u{e0001}'],
  'special tokens': [...specials, ' ', 'a', '\n', '|>'],
  words,
  everything: [...words, ...specials, '漢', '😀', '\ud800', '\u0301', '\0', '    ', '\n\n', '=====', 'ß', '१'],
};

/** Texts of up to `unitsMax` UTF-16 units; the same ones in every run. */
function* texts(alphabet: string[], seed: number, count: number, unitsMax: number): Generator<string> {
  const { int, pick } = createSeeded(seed);
  for (let made = 0; made < count; made += 1) {
    const units = int(1, unitsMax);
    let text = '';
    while (text.length < units) text += pick(alphabet);
    yield text;
  }
}

describe('token count', () => {
  it.each(Object.entries(alphabets))('agrees with tiktoken on %s', (_, alphabet) => {
    const sample = [...texts(alphabet, 1, 60, 60), ...texts(alphabet, 2, 6, 2000)];
    expect(sample.map(countTokens)).toEqual(sample.map(reference));
  });

  it('agrees with tiktoken where a piece outgrows the shared memory', () => {
    const sample = ['letters', 'CJK', 'white space', 'lone surrogates'].map((name) =>
      [...texts(alphabets[name]!, 3, 12, 2000)].join(''),
    );
    expect(sample.map(countTokens)).toEqual(sample.map(reference));
  });

  it('is 0 for an empty text', () => {
    expect(countTokens('')).toBe(0);
  });

  it.each([
    ['a special token, which is ordinary text', '<|endoftext|>', 7],
    ['a byte order mark', '\ufeff', 1],
    ['a byte order mark before a heading', '\ufeff# Changes', 2],
    ['a byte order mark before a word', '\ufeffusing', 1],
    ['U+0085, which is white space', '! \u0085!', 5],
    ['blanks after the last newline', 'a \n  ', 3],
  ])('agrees with tiktoken on %s', (_, text, count) => {
    expect(countTokens(text)).toBe(count);
    expect(reference(text)).toBe(count);
  });
});

// Time is not measured here: where the work grows with the square of the length, these take many minutes each.
describe('token count of a million characters', () => {
  it.each([
    ['one letter', 'a', 8],
    ['blanks', ' ', 128],
    ['newlines', '\n', 32],
    ['equals signs', '=', 64],
  ])('%s', (_, character, perToken) => {
    expect(countTokens(character.repeat(1_000_000))).toBe(Math.ceil(1_000_000 / perToken));
  });

  it('emoji', () => {
    expect(countTokens('😀'.repeat(500_000))).toBe(500_000 * reference('😀'));
  });

  it('blanks before a word', () => {
    expect(countTokens(`${' '.repeat(999_999)}x`)).toBe(Math.ceil(999_998 / 128) + 1);
  });

  it('random letters', () => {
    const random = [...texts(alphabets.letters!, 4, 1000, 2000)].join('');
    expect(countTokens(random)).toBeGreaterThan(random.length / 4);
  });
});
