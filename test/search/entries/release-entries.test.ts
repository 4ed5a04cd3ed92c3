import { describe, expect, it } from 'vitest';
import { releaseEntries } from '../../../src/search/entries/release-entries.ts';

const textsOf = (markdown: string): string[] => releaseEntries('acme', markdown).map(({ text }) => text);

const release = `# 1.2.3 (2030-01-01)

The pool was rewritten, see [the notes](https://example.com/notes_(new)) for
what that means.

Breaking
--------

* **core:** fixed a memory leak ([#123](https://example.com/i/123)) ([abc1234](https://example.com/c/abc1234def)), closes #99
  which \`pool_size\` &amp; others had
  - nested, by @someone and @some-body, for @types/node
1. [x] ticked ![shot](https://example.com/a.png) box
- short

\`\`\`js
- code is no entry
\`\`\`

<!-- commented away
- nor is this
--> Said behind a comment.

[notes]: https://example.com "Notes"

| option | meaning |
|---|---|
| \`retries\` | how often it tries again |

> Quoted by somebody
> over two lines.

***

<p>Some <b>HTML</b> text</p>
- Updated dependencies [a1b2c3d]
- Updated dependencies [e4f5a6b]
- Updated dependencies [1234567]
`;

describe('entries of a release', () => {
  it('are none of the code that an item begins with', () => {
    expect(textsOf('- ```sh\n  npm install acme\n  ```\n\n- an entry')).toEqual(['acme: an entry']);
  });

  it('are its list items and paragraphs in plain words, each behind the name, and once', () => {
    expect(textsOf(release)).toEqual([
      'acme: The pool was rewritten, see the notes for what that means.',
      'acme: core: fixed a memory leak , closes which pool_size & others had',
      'acme: nested, by and , for @types/node',
      'acme: ticked box',
      'acme: Said behind a comment.',
      'acme: option meaning',
      'acme: retries how often it tries again',
      'acme: Quoted by somebody over two lines.',
      'acme: Some HTML text',
      'acme: Updated dependencies',
      'acme: Updated dependencies [1234567]',
    ]);
  });

  it.each([
    ['', []],
    ['short', []],
    ['# Only a heading here', []],
    ['Two words', ['acme: Two words']],
    ['- one\n- two', []],
    ['v1.0.0 -> #12', []],
    ['Mail a@example.com about it', ['acme: Mail a@example.com about it']],
    ['Thanks @octo-cat, @a!', []],
    ['added #hashtag and C# support', ['acme: added #hashtag and C# support']],
    ['the facade decade defaced nothing', ['acme: the facade decade defaced nothing']],
    ['Broken <!-- comment that never ends', ['acme: Broken <!-- comment that never ends']],
    ['first line\r\n\r\nsecond line\r\n', ['acme: first line', 'acme: second line']],
    ['Caf&eacute; &#38; bar &copy now', ['acme: Caf\u00e9 & bar &copy now']],
  ])('of %j', (markdown, expected) => {
    expect(textsOf(markdown)).toEqual(expected);
  });

  it('are cut into pieces of 80 words', () => {
    const words = Array.from({ length: 200 }, (_, nth) => `word${nth}`);
    const cut = [words.slice(0, 80), words.slice(80, 160), words.slice(160)].map((part) => `acme: ${part.join(' ')}`);
    expect(textsOf(`- ${words.join(' ')}`)).toEqual(cut);
  });

  const items = (count: number) => Array.from({ length: count }, (_, nth) => `- item number${nth}\n`).join('');

  it('are 64 at most: neighbours are joined in pairs until they fit', () => {
    expect(textsOf(items(64))).toHaveLength(64);
    const pairs = textsOf(items(65));
    expect([pairs.length, pairs[0], pairs[32]]).toEqual([33, 'acme: item number0 item number1', 'acme: item number64']);
    const quads = textsOf(items(130));
    expect([quads.length, quads[0]]).toEqual([33, 'acme: item number0 item number1 item number2 item number3']);
  });

  it('are no longer than any model reads, however long their words are, alone and joined', () => {
    const [one, other] = ['a'.repeat(30_000), 'b'.repeat(30_000)];
    expect(textsOf(`${one} ${other}`)).toEqual([`acme: ${'a'.repeat(2_000)}`]);
    const joined = textsOf(Array.from({ length: 65 }, (_, nth) => `- ${nth} ${one}\n`).join(''));
    expect([joined.length, Math.max(...joined.map(({ length }) => length))]).toEqual([33, 2_006]);
  });

  it('have a hash that tells their text, with the name, from others', () => {
    const hashes = ['acme', 'acme', 'other'].map((name) => releaseEntries(name, 'Fixed a leak')[0]!.textHash);
    expect(hashes[0]).toMatch(/^[0-9a-f]{32}$/);
    expect([hashes[0] === hashes[1], hashes[0] === hashes[2]]).toEqual([true, false]);
  });
});

// A pattern that reads again and again what it has read takes hours for these.
describe('entries of a hostile text', () => {
  it.each([
    ...[
      'a',
      '[',
      '[a](',
      '[a][',
      '![',
      '](',
      '`',
      '` ',
      '<',
      '<a ',
      '<!--',
      '<!-- -->',
      '*',
      '_',
      '@',
      '@a',
      '@a-',
      '#',
      '#1',
    ],
    ...[
      'http://',
      'https://a ',
      'a1b2c3d ',
      'aaaaaaa',
      '0a',
      'a-',
      'a.b/',
      'a/b#1',
      '&',
      '&#',
      '&amp;',
      '(',
      '( ',
      '()',
      '\\',
    ],
    ...[
      '- a b\n',
      '-\n',
      '# a\n',
      'a b\n',
      'a b\n\n',
      'a b\n-\n',
      '| a b |\n',
      '> ',
      '```\n',
      '~~~',
      '[x]: y\n',
      '\n',
      '\t',
      '🎉 ',
    ],
  ])('of nothing but %j are few and short', (part) => {
    const entries = textsOf(part.repeat(Math.ceil(300_000 / part.length)));
    expect(entries.length).toBeLessThanOrEqual(64);
    expect(Math.max(0, ...entries.map(({ length }) => length))).toBeLessThanOrEqual(2_006);
  });
});
