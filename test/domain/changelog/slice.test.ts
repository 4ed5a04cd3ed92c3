import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../src/adapters/tokenizer/count-tokens.ts';
import { choiceOf } from '../../../src/domain/changelog/choice.ts';
import { decodePage, type MarkPages, marksPerPage } from '../../../src/domain/changelog/marks.ts';
import { headingStarts, outlineOf } from '../../../src/domain/changelog/outline.ts';
import { type SliceWish, sliceOf } from '../../../src/domain/changelog/slice.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';

const count = async (texts: readonly string[]) => texts.map(countTokens);

const cut = async (text: string, wish: SliceWish) => {
  const { pages, firsts, tokens } = await outlineOf(text, count);
  const marks: MarkPages = { firsts, load: async (page) => decodePage(pages[page]!) };
  const { start, end } = await sliceOf(marks, { at: text.length, tokens }, wish);
  return { offset: start.at, end: end.at, tokens: end.tokens - start.tokens };
};
const byChars = (offset: number, size: number): SliceWish => ({ offset, budget: { measure: 'at', size } });
const byTokens = (offset: number, size: number): SliceWish => ({ offset, budget: { measure: 'tokens', size } });

describe('headings', () => {
  it.each([
    ['# A\n## B\n### C\n#### D\n', [0, 4, 9]],
    ['text\n#\tA\n#B\n#\n# \n', [5, 14]],
    [' # A\n\t# B\n', []],
    ['A\n===\nB\n---\n# C', [12]],
    ['intro\n\n#2 x\n---\nmore\n', []],
    ['```\n# A\n```\n# B\n~~~~\n# C\n~~~\n# D\n~~~~\n# E', [12, 38]],
    ['- item\n  ```sh\n  # A\n# B\n  ```\n# C', [31]],
    ['```\n# never closed\n', []],
    ['# A\r\n```\r\n# B\r\n```\r\n# C', [0, 20]],
    ['# A\n\n- ```sh\n  npm i\n  ```\n\n# B\nb\n# C\nc\n', [0, 28, 34]],
    ['1. ```\n   x\n\n   # no\n   ```\n# A', [28]],
    ['- - ~~~\r\n    x\r\n    ~~~\r\n# A', [25]],
    ['-\t```\n\tx\n\t```\n# A', [14]],
    ['-     ```\n# A', [10]],
    ['- `a` ```\n- ```a`b\n# A', [19]],
    ['- ~~~ was never closed\n- b\n# A', [27]],
    ['- ```\n# A', [6]],
    ['> ```\n> # no\n> ```\n# A', [19]],
    ['• ```\n# A\n```\n# B', [6]],
    ['', []],
  ])('of %j begin at %j', (text, starts) => expect(headingStarts(text)).toEqual(starts));
});

describe('the example of the contract', () => {
  const text = '# A\naaaa\n## B\nbb\n## C\ncc\n';

  it.each([
    ['all', 'whole', 0, 25],
    ['limit 12', byChars(0, 12), 0, 9],
    ['limit 4, which one section is larger than', byChars(0, 4), 0, 9],
    ['offset 1', byChars(1, 100), 9, 25],
    ['offset 9, limit 8', byChars(9, 8), 9, 17],
    ['offset 18', byChars(18, 40_000), 25, 25],
    ['an offset beyond the end', byChars(1_000, 10), 25, 25],
  ] as const)('%s', async (_, wish, offset, end) => {
    expect(await cut(text, wish)).toMatchObject({ offset, end });
  });
});

/** Line by line: what a line begins with, whether code is open, and whether the item that it is in has ended. */
function naiveHeadings(text: string): number[] {
  const starts: number[] = [];
  let open: { readonly mark: string; readonly column: number } | null = null;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (open !== null && line.trim() !== '' && line.search(/\S/) < open.column) open = null;
    if (open !== null) {
      const [marks = ''] = /^(?:`+|~+)$/.exec(line.trim()) ?? [];
      if (marks.startsWith(open.mark)) open = null;
    } else {
      const { items = '', mark } = /^ *(?<items>(?:[-*+] +)*)(?<mark>```+(?=[^`]*$)|~~~+)/.exec(line)?.groups ?? {};
      if (mark !== undefined) open = { mark, column: items === '' ? 0 : line.indexOf(mark) };
      else if (/^#{1,3}[ \t]/.test(line)) starts.push(at);
    }
    at += line.length;
  }
  return starts;
}

/** The rules as they are written down, over all headings at once. */
function naiveSlice(text: string, wish: SliceWish) {
  if (wish === 'whole') return { offset: 0, end: text.length };
  const sizeOf = (from: number, to: number) =>
    wish.budget.measure === 'at' ? to - from : countTokens(text.slice(from, to));
  const starts = naiveHeadings(text);
  const offset = wish.offset === 0 ? 0 : (starts.find((start) => start >= wish.offset) ?? text.length);
  if (sizeOf(offset, text.length) <= wish.budget.size) return { offset, end: text.length };
  const behind = starts.filter((start) => start > offset);
  const within = behind.filter((start) => sizeOf(offset, start) <= wish.budget.size);
  return { offset, end: within.at(-1) ?? behind[0] ?? text.length };
}

const pieces = [
  '# A\n',
  '## Fixed 🚀\n',
  '###\tC\r\n',
  'text ',
  '\n',
  '\n\n',
  '  ',
  '```\n',
  '- ',
  '- ```sh\n',
  '- item\n',
  "don't\n",
  '…\r\n',
  '123',
];
const randomText = (random: Seeded) => Array.from({ length: random.int(0, 60) }, () => random.pick(pieces)).join('');

/** Whole ones, as authors mean them: what of any of them is a heading is the same for every reader of Markdown. */
const blocks = [
  '# A\n',
  '## B 🚀\n',
  '### C\n',
  '#### D\n',
  'text\n',
  '\n',
  '- item\n',
  '```\n# no\n```\n',
  '~~~ md\n```\n# no\n~~~\n',
  '- ```sh\n  # no\n\n# yes\n',
  '* ````\n  ```\n# yes\n',
  '- ```sh\n  # no\n  ```\n',
  '1. ~~~\n   # no\n\n   # no\n   ~~~\n',
  '10) ```\n    # no\n    ```\n',
  '- - ```\n    # no\n    ```\n',
  '+ a\n\n  ```\n  # no\n  ```\n',
  '- ~~~ never closed\n',
  '> ```\n> # no\n> ```\n',
];

it('headings are where a Markdown parser sees them', () => {
  const parser = new MarkdownIt('commonmark');
  const random = createSeeded(7);
  for (let round = 0; round < 400; round += 1) {
    const text = Array.from({ length: random.int(1, 12) }, () => random.pick(blocks)).join('');
    const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const expected = parser
      .parse(text, {})
      .filter(({ type, level, markup }) => type === 'heading_open' && level === 0 && markup.length <= 3)
      .map(({ map }) => lineStarts[map![0]]);
    expect(headingStarts(text), JSON.stringify(text)).toEqual(expected);
  }
});

describe('a slice', () => {
  it('is what the rules say, with exactly its tokens, whatever the text', async () => {
    const random = createSeeded(5);
    for (let round = 0; round < 400; round += 1) {
      const text = randomText(random);
      const offset = random.int(0, text.length + 2);
      const wish = random.pick([
        byChars(offset, random.int(1, 80)),
        byTokens(offset, random.int(1, 40)),
        'whole' as const,
      ]);
      const slice = await cut(text, wish);
      const expected = naiveSlice(text, wish);
      const tokens = countTokens(text.slice(expected.offset, expected.end));
      expect(slice, JSON.stringify({ text, wish })).toEqual({ ...expected, tokens });
    }
  });

  it('goes on from one to the next without a gap, and ends', async () => {
    const random = createSeeded(6);
    const text = `intro\n${Array.from({ length: 300 }, (_, n) => `## ${n}\n${'word '.repeat(random.int(0, 40))}\n`).join('')}`;
    let offset = 0;
    let joined = '';
    while (offset < text.length) {
      const slice = await cut(text, byTokens(offset, 100));
      expect(slice.offset).toBe(offset);
      joined += text.slice(slice.offset, slice.end);
      offset = slice.end;
    }
    expect(joined).toBe(text);
  });

  it('is found across the pages of an outline', async () => {
    const text = '# \n'.repeat(2 * marksPerPage + 5);
    const { pages, firsts } = await outlineOf(text, async (texts) => texts.map((each) => (each === '' ? 0 : 2)));
    expect([pages.length, firsts[1]]).toEqual([3, { at: 3 * marksPerPage, tokens: 2 * marksPerPage }]);
    const loads: number[] = [];
    const marks: MarkPages = {
      firsts,
      load: async (page) => {
        loads.push(page);
        return decodePage(pages[page]!);
      },
    };
    const total = { at: text.length, tokens: 2 * (2 * marksPerPage + 5) };
    const at = (mark: number) => ({ at: 3 * mark, tokens: 2 * mark });
    // At the last mark of a page, over its end, and at the first of the next.
    expect(await sliceOf(marks, total, byChars(3 * marksPerPage - 4, 3))).toEqual({
      start: at(marksPerPage - 1),
      end: at(marksPerPage),
    });
    expect(await sliceOf(marks, total, byTokens(3 * marksPerPage - 2, 1))).toEqual({
      start: at(marksPerPage),
      end: at(marksPerPage + 1),
    });
    loads.length = 0;
    await sliceOf(marks, total, byChars(3 * marksPerPage + 3, 30));
    expect(new Set(loads)).toEqual(new Set([1]));
  });
});

describe('the file that is meant', () => {
  it('has the name of a changelog, in the root folder first, by name; else it is the shortest path', () => {
    const inOrder = [
      'Changelog.md',
      'CHANGES.md',
      'history.MD',
      'RELEASES.md',
      'NEWS.md',
      'a/CHANGELOG.md',
      'docs/CHANGELOG.md',
      'a/NEWS.md',
      'a/b.md',
      'README.md',
    ];
    expect([...inOrder].reverse().sort((a, b) => choiceOf(a) - choiceOf(b))).toEqual(inOrder);
  });
});
