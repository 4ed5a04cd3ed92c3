import { describe, expect, it } from 'vitest';
import { storedTokens } from '../../../src/search/words/stored-tokens.ts';
import { wantedTerms, wantedTermsMax } from '../../../src/search/words/wanted-terms.ts';
import { tokenExamples } from '../../spec/search-index/token-examples.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

const matches = (text: string, query: string, isPrefix = false): boolean => {
  const stored = storedTokens(text);
  const terms = wantedTerms(query.split(' '), isPrefix);
  return (
    terms.length > 0 &&
    terms.every((term) => stored.some((token) => (term.isPrefix ? token.startsWith(term.token) : token === term.token)))
  );
};

describe('words', () => {
  it.each(tokenExamples)('“$query” and “$text”: $matches', (example) => {
    expect(matches(example.text, example.query, example.isPrefix)).toBe(example.matches);
  });

  it('are stored as often as they stand in a text, and the forms of one piece once', () => {
    expect(storedTokens('leap Leap leap')).toEqual(['leap', 'leap', 'leap']);
    expect(storedTokens('owner/owner')).toEqual(['owner/owner', 'owner']);
  });

  it('hold nothing that an index could take for a border or for syntax', () => {
    const text = 'a"b\'c*d^e(f)g{h}i[j]k:l;m,n<o>p|q\\r&s=t?u!v%w`x\u0000y\tz\u00a0ß';
    for (const token of storedTokens(text)) expect(token).toMatch(/^[\p{L}\p{N}\p{M}@/._+#$~-]+$/u);
  });

  it('keep only the words of what is too long to be a name', () => {
    const long = `${'deep/'.repeat(20)}file.ts`;
    expect(storedTokens(long)).toEqual(['deep', 'file.ts', 'file', 'ts']);
    expect(matches(`see ${long}`, long)).toBe(true);
    expect(storedTokens('a'.repeat(1_000))).toEqual(['a'.repeat(64)]);
    expect(matches('a'.repeat(1_000), 'a'.repeat(900))).toBe(true);
    const version = `1.2.3-${'0123456789abcdef'.repeat(5)}`;
    expect(matches(version, version)).toBe(true);
  });

  it('are bounded, however much is typed', () => {
    const characters = Array.from({ length: 400 }, (_, number) => String.fromCodePoint(0x4e00 + number));
    expect(wantedTerms([characters.join('')], false)).toHaveLength(wantedTermsMax);
    expect(
      wantedTerms(
        Array.from({ length: 300 }, (_, number) => `w${number}`),
        false,
      ),
    ).toHaveLength(wantedTermsMax);
  });

  it('may all be begun only, however many are typed', () => {
    const many = Array.from({ length: 40 }, (_, number) => `wo${number}`.padEnd(4, 'x'));
    expect(wantedTerms(many, true).every(({ isPrefix }) => isPrefix)).toBe(true);
    expect(wantedTerms(many, false).some(({ isPrefix }) => isPrefix)).toBe(false);
  });

  const alphabet = [
    ...'abZ19éßΣ修内가🚀🇩',
    '\u0301',
    '\ud800',
    '.',
    '-',
    '_',
    '/',
    '@',
    '+',
    '#',
    '$',
    '~',
    '"',
    "'",
    '(',
    ':',
    '1.2',
    'v3.4',
    '--',
  ];

  it.each(seedsToRun(20))('of a text find it, each piece between blanks alone and all together (seed %i)', (seed) => {
    const random = createSeeded(seed);
    for (let round = 0; round < 200; round += 1) {
      const piece = () =>
        Array.from({ length: random.int(1, random.chance(5) ? 80 : 9) }, () => random.pick(alphabet)).join('');
      const pieces = Array.from({ length: random.int(1, 4) }, piece);
      const text = pieces.join(' ');
      for (const query of [...pieces, text]) {
        if (wantedTerms(query.split(' '), false).length === 0) continue;
        expect(matches(text, query), `${JSON.stringify(text)} by ${JSON.stringify(query)}`).toBe(true);
      }
    }
  });
});
