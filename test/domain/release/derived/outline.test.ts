import { describe, expect, it } from 'vitest';
import { itemLabel, plainText, scanMarkdown } from '../../../../src/domain/release/derived/outline.ts';

const outline = (markdown: string): string[] => {
  const seen: string[] = [];
  scanMarkdown(markdown, {
    heading: ({ level, text, start, contentStart }) => seen.push(`h${level} ${text} [${start}-${contentStart}]`),
    item: (start, end) => seen.push(`- ${markdown.slice(start, end).trimEnd()}`),
  });
  return seen;
};

const headings = (markdown: string): string[] =>
  outline(markdown)
    .filter((line) => line.startsWith('h'))
    .map((line) => line.replace(/ \[.*/, ''));

describe('scanMarkdown', () => {
  it('finds headings with the place of their text', () => {
    expect(outline('# A\naa\n## B ##\nbb')).toEqual(['h1 A [0-4]', 'h2 B [7-15]']);
    expect(outline('Title\n=====\ntext\n\nSub\n---\n')).toEqual(['h1 Title [0-12]', 'h2 Sub [18-26]']);
    expect(outline('## Last')).toEqual(['h2 Last [0-7]']);
  });

  it.each([
    ['###### six', ['h6 six']],
    ['####### seven', []],
    ['#no', []],
    ['#\ttab', ['h1 tab']],
    ['#', ['h1 ']],
    ['   ### three blanks', ['h3 three blanks']],
    ['    # code', []],
    ['## C#', ['h2 C#']],
    ['## C #', ['h2 C']],
    ['## ##', ['h2 ']],
    ['# A\r\ntext\r\n', ['h1 A']],
    ['text\n# A', ['h1 A']],
    ['one\ntwo\n---', []],
    ['one\n\n---', []],
    ['- item\n---', []],
    ['- item\n  more\n---', []],
    ['> quote\n---', []],
    ['one\n--- x', []],
    ['one\n  ---  ', ['h2 one']],
    ['one\n    ---', []],
    ['---\n---', ['h2 ---']],
  ])('%j has the headings %j', (markdown, expected) => {
    expect(headings(markdown)).toEqual(expected);
  });

  it('finds list items of every kind', () => {
    expect(outline('- a\n* b\n+ c\n1. d\n12) e\n  - f\n\t* g\n• h')).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((text) => `- ${text}`),
    );
    expect(outline('-a\n*b*\n1.5 x\n-\n- \n1234567890. x\n--- \n.. x')).toEqual([]);
    expect(outline('- a\r\n- b\r\n')).toEqual(['- a', '- b']);
  });

  it('ignores fenced code', () => {
    expect(headings('```\n# no\n```\n# yes')).toEqual(['h1 yes']);
    expect(headings('~~~ sh\n# no\n```\n# no\n~~~\n# yes')).toEqual(['h1 yes']);
    expect(headings('````\n# no\n```\n# no\n`````\n# yes')).toEqual(['h1 yes']);
    expect(headings('```\n# no\n``` x\n# no\n')).toEqual([]);
    expect(headings('- a\n    ```\n# no\n    ```\n# yes')).toEqual(['h1 yes']);
    expect(headings('```a`b\n# yes')).toEqual(['h1 yes']);
    expect(headings('``\n# yes')).toEqual(['h1 yes']);
    expect(outline('```\n- no')).toEqual([]);
    expect(headings('text\n```\n```\n---\n')).toEqual([]);
  });

  it('ignores code that begins on the line of an item, which is one all the same', () => {
    const after = ['- ', 'h1 B [29-33]', '- c'];
    expect(outline('- ```sh\n  # no\n  - no\n  ```\n\n# B\n- c')).toEqual(after);
    expect(outline('- a\n  - ```\n    - no\n    ```\n  - b')).toEqual(['- a', '- ', '- b']);
  });
});

describe('itemLabel', () => {
  it.each([
    ['**Breaking:** gone', 'Breaking:'],
    ['**BREAKING CHANGE**: gone', 'BREAKING CHANGE'],
    ['__Removed__ old call', 'Removed'],
    ['💥 **Breaking** gone', 'Breaking'],
    ['[Breaking] gone', 'Breaking'],
    ['[x] **Removed** done', 'Removed'],
    ['[ ] Removed: later', 'Removed'],
    ['Breaking: gone', 'Breaking'],
    ['Breaking change in the API: gone', 'Breaking change in the API'],
    ['Removed:', 'Removed'],
    ['**core:** removed: x', 'core:'],
    ['[removed](https://example.com) call', ''],
    ['Removed support for x', ''],
    ['See https://example.com/breaking', ''],
    ['It was removed. Note: it is back', ''],
    [`${'very '.repeat(20)}breaking: x`, ''],
    ['a::removed: x', ''],
    ['', ''],
  ])('%j has the label %j', (item, label) => {
    expect(itemLabel(item)).toBe(label);
  });
});

describe('plainText', () => {
  it.each([
    ['Hello world', 'Hello world'],
    ['  a\n\n b\t\tc \r\n', 'a b c'],
    ['# Title #\ntext', 'Title text'],
    ['Title\n=====\ntext', 'Title text'],
    ['- a\n* b\n1. c\n  - [x] d\n• e', 'a b c d e'],
    ['> quoted\n> > twice', 'quoted twice'],
    ['a\n\n---\n***\n___\nb', 'a b'],
    ['**bold** *it* __b__ _i_ ***x*** ~~gone~~', 'bold it b i x gone'],
    ['snake_case_name and 2 * 3', 'snake_case_name and 2 * 3'],
    ['[text](https://example.com "t") after', 'text after'],
    ['[text](https://en.example/wiki/A_(b)) after', 'text after'],
    ['[text][ref] and [plain] x', 'text and [plain] x'],
    ['[ref]: https://example.com\nbody', 'body'],
    ['![alt](a.png) after', 'after'],
    ['[![badge](a.svg)](https://example.com) after', 'after'],
    ['[`code`](https://example.com) **[b](c)**', 'code b'],
    ['see <https://example.com/a> now', 'see https://example.com/a now'],
    ['<p>one</p><p>two <b>bo</b>ld</p>', 'one two bold'],
    ['<img\n src="a"\n alt="b">\nafter', 'after'],
    ['a <!-- hidden\n# more --> b', 'a b'],
    ['a <!-- never closed\n\n b', 'a'],
    ['a < b and c > d', 'a < b and c > d'],
    ['`Promise<void>` and `a_*b*_`', 'Promise<void> and a_*b*_'],
    ['``a ` b``', 'a b'],
    ['\\*not bold\\* \\[x\\](y)', '*not bold* [x](y)'],
    ['a &amp; b &lt;c&gt; &quot;d&#39;&nbsp;e &unknown;', 'a & b <c> "d\' e &unknown;'],
    ['before\n```ts\nconst x = 1;\n```\nafter', 'before after'],
    ['before\n~~~\nnever closed', 'before'],
    ['- ```sh\n  npm i\n  ```\n- after', 'after'],
    ['- a\n- ~~~\n  never closed\n\n  code\nafter', 'a after'],
    ['| a | b |\n|---|:-:|\n| 1 | 2 |', 'a b 1 2'],
    ['', ''],
    ['\n\n', ''],
    ['#\n-\n', ''],
  ])('%j reads %j', (markdown, text) => {
    expect(plainText(markdown, 1000)).toBe(text);
  });

  it('gives no more than it is asked for, and never half a character', () => {
    expect(plainText('word '.repeat(100), 7)).toBe('word wo');
    expect(plainText('word '.repeat(100), 9)).toBe('word word');
    expect(plainText('ab😀', 3)).toBe('ab');
  });

  it('reads on behind much that is not shown', () => {
    const hidden = `<!-- ${'x'.repeat(5000)} -->\n\`\`\`\n${'code\n'.repeat(1000)}\`\`\`\n${'![a](b)\n'.repeat(500)}`;
    expect(plainText(`${hidden}shown`, 150)).toBe('shown');
  });

  it('does not show the inside of a tag or target that is longer than what it reads at once', () => {
    const data = 'A'.repeat(20_000);
    expect(plainText(`<img src="data:image/png;base64,${data}"> shown`, 20)).toBe('shown');
    expect(plainText(`![x](data:image/png;base64,${data}) shown`, 20)).toBe('shown');
    expect(plainText(`${'a'.repeat(1500)}`, 1000)).toBe('a'.repeat(1000));
  });

  it('keeps a long line whole', () => {
    const text = 'some words in a line '.repeat(500).trim();
    expect(plainText(text, 100_000)).toBe(text);
    expect(plainText(`x ${text}`, 2000)).toBe(`x ${text}`.slice(0, 2000));
  });
});

describe('a million hostile characters', () => {
  const units = [
    '\n',
    '-\n',
    '- a:\n',
    '[',
    '](',
    '[](',
    '![](',
    '<',
    '<a',
    '<!--',
    '<!-- -->',
    '`',
    '``` \n',
    '*',
    '_',
  ];
  const more = [
    '__a',
    '> ',
    '>\n',
    '- ',
    '- ```\n',
    '#',
    '# \n',
    '# a\n',
    'a\n-\n',
    '\\',
    '&',
    ' ',
    '|',
    '|a|\n',
    '[a]:',
    '()',
    '](()',
  ];

  // What is not linear would not end within the time that any test has.
  it.each([...units, ...more, '- **a', '<\n>', '[a]: b\n', '1. a\n', '😀'])(
    'a million characters of %j are read',
    (unit) => {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(() => outline(text)).not.toThrow();
      expect(plainText(text, 150).length).toBeLessThanOrEqual(151);
    },
  );
});
