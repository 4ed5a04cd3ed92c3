import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { closedMarkdown, cutMarkdown } from '../../../src/forms/markdown/cut-markdown.ts';
import { feedMarkdown } from '../../../src/forms/markdown/feed-markdown.ts';
import { frontMatter } from '../../../src/forms/markdown/front-matter.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { autolink, inline, linkTo, paragraph } from '../../../src/forms/markdown/inline.ts';

const hostile = [
  '---',
  'a\n---\n# Mine',
  'a: b\n...\n--- !!js/function x',
  '# Heading',
  '## Heading ##',
  'C #',
  '- item',
  '1. item',
  '12) item',
  '> quote',
  '+ item',
  '===',
  '```',
  '`code`',
  '*em* **strong** _em_ __strong__',
  '[link](javascript:alert(1))',
  '![img](https://x.example/a.png)',
  '<script>alert(1)</script>',
  '<!-- comment',
  '&lt;b&gt; &amp; R&D',
  '~~gone~~',
  'back\\slash\\',
  '[a]: https://x.example',
  'quote \' and " and : and # and {} and []',
  '   blanks   inside   ',
  'null',
  'true',
  '0x10',
  '2026-01-01',
  '*anchor &alias !tag %directive @at `tick',
  'line\u2028separator\u2029and\u0085next',
  `${'x'.repeat(50)}\n---\nfoo`,
  `${'x'.repeat(50)}\n\n\\ \n foo\t"'\n---`,
  'words of a long line '.repeat(20),
];

const markdown = new MarkdownIt({ html: true });
const asOneLine = (text: string) => text.trim().replace(/\s+/g, ' ');

/** What a reader sees of a line: its text, when nothing in it is marked up. */
const plainTextOf = (source: string): string[] =>
  markdown.parse(source, {}).flatMap(({ type, children }) => {
    if (type !== 'inline') return [];
    expect(children?.every(({ type: part }) => part === 'text' || part === 'text_special')).toBe(true);
    return [children?.map(({ content }) => content).join('') ?? ''];
  });

describe.each(hostile)('the text %j', (text) => {
  it('comes back out of the front matter as it was, and does not end it', () => {
    const written = frontMatter({ title: text, tags: [text, 'x'] });
    expect(written.split('\n').filter((line) => /^\s*(---|\.\.\.)/.test(line))).toEqual(['---', '---']);
    const linesOfEach = ['---', 'title', 'tags', 'first', 'second', '---', 'end'];
    expect(written.split(/\r\n?|[\n\u0085\u2028\u2029]/)).toHaveLength(linesOfEach.length);
    expect(parse(written.slice(4, -4))).toEqual({ title: text, tags: [text, 'x'] });
  });

  it('is one heading and nothing else', () => {
    const tokens = markdown.parse(`# ${inline(text)}\n\nnext`, {}).map(({ type }) => type);
    expect(tokens.slice(0, 3)).toEqual(['heading_open', 'inline', 'heading_close']);
    expect(tokens).toHaveLength(6);
    expect(plainTextOf(`# ${inline(text)}`)).toEqual([asOneLine(text)]);
  });

  it('is one paragraph and nothing else', () => {
    expect(markdown.parse(paragraph(text), {}).map(({ type }) => type)).toEqual([
      'paragraph_open',
      'inline',
      'paragraph_close',
    ]);
    expect(plainTextOf(paragraph(text))).toEqual([asOneLine(text)]);
  });

  it('is the words of a link and does not change where it leads', () => {
    const html = markdown.renderInline(linkTo(text, 'https://registry.example/acme'));
    expect(html.startsWith('<a href="https://registry.example/acme">')).toBe(true);
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html.endsWith('</a>')).toBe(true);
    expect(html).not.toMatch(/<(?!a |\/a>)/);
  });

  it('as a title is one section of a feed', async () => {
    const release = {
      title: text,
      version: text,
      publishedAt: null,
      url: 'https://x.example/',
      webUrl: 'https://registry.example/release/rel_1',
      content: '```\nnever closed',
      source: { name: text },
    };
    const document = await feedMarkdown(
      { of: { org: 'acme' }, releases: [release, release], nextCursor: null },
      createFakeClock(),
    );
    const tokens = markdown.parse(document.slice(document.indexOf('\n---\n') + 5), {});
    expect(tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => tag)).toEqual(['h2', 'h2']);
    expect(tokens.filter(({ type }) => type === 'fence')).toHaveLength(2);
  });
});

it('an address cannot leave its brackets', () => {
  expect(autolink('https://x.example/a b>c<d\\e')).toBe('<https://x.example/a%20b%3Ec%3Cd%5Ce>');
});

describe('a text that is cut', () => {
  it('is whole when it is short enough', () => {
    expect(cutMarkdown('\nshort \n', 5)).toEqual({ text: 'short', isCut: false });
  });

  it('ends between two lines where that leaves enough, and never in half a character', () => {
    expect(cutMarkdown('one two\nthree four', 12)).toEqual({ text: 'one two', isCut: true });
    expect(cutMarkdown('abcdefgh', 3).text).toBe('abc');
    expect(cutMarkdown('ab😀cd', 3).text).toBe('ab');
  });

  it.each([
    ['```\ncode', '```\ncode\n```'],
    ['~~~~ js\n```\n~~~\ncode', '~~~~ js\n```\n~~~\ncode\n~~~~'],
    ['```\ncode\n```\nafter', '```\ncode\n```\nafter'],
    ['``` not`a fence\ntext', '``` not`a fence\ntext'],
    ['\n \n    ```\nindented\n', '    ```\nindented'],
  ])('leaves no code block open: %j', (text, closed) => {
    expect(closedMarkdown(text)).toBe(closed);
  });
  it.each([
    ['  ~~~\ncode', '  ~~~\ncode\n  ~~~'],
    ['- a\n\n  ```\n  code', '- a\n\n  ```\n  code\n  ```'],
    ['1. ```js\n   code', '1. ```js\n   code\n   ```'],
    ['- - ~~~\n    code', '- - ~~~\n    code\n    ~~~'],
    ['- ```\n  code\n  ```\n\nafter', '- ```\n  code\n  ```\n\nafter'],
    ['- a\n  ```\n  code\nafter', '- a\n  ```\n  code\nafter'],
    ['- a\n  ```\n  code\n  ```\n```\ncode', '- a\n  ```\n  code\n  ```\n```\ncode\n```'],
    ['```\ncode\n    ```', '```\ncode\n    ```\n```'],
    ['```\r\ncode\r\n```\r\nafter', '```\r\ncode\r\n```\r\nafter'],
    ['-\t```\n\tcode', '-\t```\n\tcode\n    ```'],
    ['-\n\n  ```\ncode', '-\n\n  ```\ncode\n  ```'],
    ['a\n<!-- hidden\n\n```', 'a\n<!-- hidden\n\n```\n-->'],
    ['- <!-- hidden', '- <!-- hidden\n  -->'],
    ['<!-- hidden -->\nafter', '<!-- hidden -->\nafter'],
    ['<!--\nhidden -->\n```\ncode', '<!--\nhidden -->\n```\ncode\n```'],
    ['```\n<!-- shown\n```', '```\n<!-- shown\n```'],
    ['see `<!--` there', 'see `<!--` there'],
    ['<pre>\n\n# shown', '<pre>\n\n# shown\n</pre>'],
    ['a\n <SCRIPT src="x">\n\nb', 'a\n <SCRIPT src="x">\n\nb\n </script>'],
    ['<style\n\na', '<style\n\na\n</style>'],
    ['<textarea\tcols="1">\n\na', '<textarea\tcols="1">\n\na\n</textarea>'],
    ['<?php\n\na', '<?php\n\na\n?>'],
    ['<![CDATA[\n\na > b', '<![CDATA[\n\na > b\n]]>'],
    ['<!DOCTYPE\n\na', '<!DOCTYPE\n\na\n>'],
    ['- <pre>\n\n  a', '- <pre>\n\n  a\n  </pre>'],
    ['- <pre>\n\na', '- <pre>\n\na'],
    ['<pre>a</pre>\n\nb', '<pre>a</pre>\n\nb'],
    ['<pre>\n\n      </Pre> b\n\nc', '<pre>\n\n      </Pre> b\n\nc'],
    ['<pre>\n\na </script> b\n\nc', '<pre>\n\na </script> b\n\nc'],
    ['<preface>\n\na', '<preface>\n\na'],
    ['    <pre>\n\na', '    <pre>\n\na'],
    ['```\n<pre>\n```\n\na', '```\n<pre>\n```\n\na'],
  ])('ends what it leaves open where that began: %j', (text, closed) => {
    expect(closedMarkdown(text)).toBe(closed);
    for (const follower of ['# Follower', 'Follower']) {
      const html = markdown.render(`${closed}\n\n${follower}`);
      expect(html.replace(/<!--.*?-->/gs, '')).toMatch(/<(h1|p)>Follower<\/(h1|p)>\n$/);
      expect(html.replace(/<!--.*?-->/gs, '')).not.toContain('<!--');
    }
  });
});

describe('a megabyte of hostile lines', () => {
  // Each is read once, a line at a time: were it read again for every line, this would take minutes.
  const megabyte = (part: string) => part.repeat(Math.ceil(1_000_000 / part.length));

  it.each([
    ['fences', megabyte('```\n~~~\n'), '~~~'],
    ['items that leave a block open', megabyte('- <!--\n\na\n'), null],
    ['marks of lists', `<?\n?>\n${megabyte('- ')}`, null],
    [
      'deep lists',
      `${Array.from({ length: 1_400 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n')}\n<pre>`,
      '</pre>',
    ],
    ['HTML that is never ended', `<!--\n${megabyte('->\n')}`, '-->'],
    ['digits', `<pre>\n</pre>\n${megabyte('1')}`, null],
  ])('is closed: %s', (_, text, end) => {
    const closed = closedMarkdown(text);
    expect(closed.slice(text.trimEnd().length).trim()).toBe(end ?? '');
  });
});
