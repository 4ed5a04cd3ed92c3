import { describe, expect, it } from 'vitest';
import { htmlToLine } from '../../../src/ingest/html/html-to-line.ts';
import { htmlToMarkdown } from '../../../src/ingest/html/html-to-markdown.ts';

const base = 'https://example.com/blog/post';
const markdown = (html: string) => htmlToMarkdown(html, base);

describe('htmlToMarkdown', () => {
  it.each([
    ['paragraphs', '<p>One\n  two</p><p>Three</p>', 'One two\n\nThree'],
    ['headings', '<h1>A</h1><h3>B <em>c</em></h3>text', '# A\n\n### B *c*\n\ntext'],
    ['marks', '<b>a</b> <i>b</i> <del>c</del> <strong> d </strong>e', '**a** *b* ~~c~~  **d** e'.replace('  ', ' ')],
    ['nested marks', '<b>a <strong>b</strong></b>', '**a b**'],
    ['marks over paragraphs', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
    ['marks left open', '<p><b>a</p><p>b</p>', '**a**\n\nb'],
    ['line breaks', 'a<br>b<br/>c', 'a  \nb  \nc'],
    ['two line breaks', 'a<br><br>b', 'a\n\nb'],
    ['rules', 'a<hr>b', 'a\n\n---\n\nb'],
    ['lists', '<ul><li>a<li>b</ul>', '- a\n- b'],
    ['numbered lists', '<ol start="3"><li>a</li><li><p>b</p></li></ol>', '3. a\n4. b'],
    ['lists in lists', '<ul><li>a<ol><li>b<p>c</p></ol></li><li>d</ul>', '- a\n  1. b\n\n     c\n- d'],
    ['lists directly in lists', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    ['items without a list', '<li>a</li><li>b</li>', '- a\n- b'],
    ['tasks', '<ul><li><input type="checkbox" checked> a<li><input type=checkbox> b</ul>', '- [x] a\n- [ ] b'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
    ['code', '<code>a*b</code> <code>`</code> <code>&lt;T&gt;</code>', '`a*b` `` ` `` `<T>`'],
    [
      'blocks of code',
      '<pre class="highlight"><code class="language-ts">\nif (a &lt; b) {\n  <span>c</span>\n}\n</code></pre>',
      '```ts\nif (a < b) {\n  c\n}\n```',
    ],
    ['code with fences', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
    ['definitions', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', '**a**\n\nb\n\n**c**\n\nd'],
    [
      'links',
      '<a href="../x?a=1&amp;b=2">a</a> <a href="#top">b</a>',
      '[a](https://example.com/x?a=1&b=2) [b](https://example.com/blog/post#top)',
    ],
    [
      'links around blocks',
      '<a href="/x"><h2>T</h2><p>p</p></a>',
      '## [T](https://example.com/x)\n\n[p](https://example.com/x)',
    ],
    ['links with brackets', '<a href="/x_(y)">a ] [b]</a>', '[a \\] \\[b\\]](https://example.com/x_%28y%29)'],
    ['links to mailboxes', '<a href="mailto:a@b.example">a</a>', '[a](mailto:a@b.example)'],
    ['images', '<img src="//cdn.example/a b.png" alt="A [b]">', '![A \\[b\\]](https://cdn.example/a%20b.png)'],
    [
      'images that are loaded late',
      '<img src="data:image/gif;base64,R0" data-src="/a.png">',
      '![](https://example.com/a.png)',
    ],
    [
      'pictures in links',
      '<a href="/x"><img src="/a.png" alt="a"></a>',
      '[![a](https://example.com/a.png)](https://example.com/x)',
    ],
    [
      'tables',
      '<table><thead><tr><th>A<th>B</thead><tr><td>a|b</td><td><code>c|d</code><tr><td>e</table>',
      '| A | B |\n| --- | --- |\n| a\\|b | `c\\|d` |\n| e |',
    ],
    [
      'tables that lay a page out',
      '<table><tr><td><p>a</p><p>b</p></td><td><ul><li>c</ul></td></tr></table>',
      'a\n\nb\n\n- c',
    ],
    ['tables of one column', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
    ['entities', '&lt;b&gt; &amp;amp; &copy; &nbsp;&#146;', '\\<b> \\&amp; © ’'],
    [
      'base addresses in between',
      '<div xml:base="/other/"><a href="x">a</a></div><a href="x">b</a>',
      '[a](https://example.com/other/x)\n\n[b](https://example.com/blog/x)',
    ],
    ['what is no markup', 'a < b && c > d', 'a < b && c > d'],
  ])('keeps %s', (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it.each([
    ['scripts', 'a<script>alert("</p>")</script>b', 'ab'],
    ['styles', '<style>p { color: red }</style>a', 'a'],
    ['frames', 'a<iframe src="https://evil.example"><p>x</p></iframe>b', 'ab'],
    ['objects in objects', 'a<object><object>x</object>y</object>b', 'ab'],
    ['event attributes', '<p onclick="alert(1)">a</p>', 'a'],
    ['links that run', '<a href="javascript:alert(1)">a</a> <a href="JaVa\nScript:x">b</a>', 'a b'],
    ['links with data', '<a href="data:text/html,x">a</a><img src="data:image/png;base64,xx" alt="b">', 'a'],
    ['addresses with credentials', '<a href="https://me:pw@example.com/">a</a>', 'a'],
    ['pixels that count readers', 'a<img src="https://count.example/p.gif" width="1" height="1">', 'a'],
    ['forms', '<form>a<select><option>b</select><button>c</button></form>', 'a'],
    ['comments', 'a<!-- <b>x</b> -->b', 'ab'],
    ['control characters', 'a&#1;\x01b&#x0;', 'ab\ufffd'],
  ])('leaves out %s', (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it.each([
    ['[a](javascript:alert)', '[a\\](javascript:alert)'],
    ['[a]<i></i>(https://evil.example)', '[a\\](https://evil.example)'],
    ['# a', '\\# a'],
    ['- a', '\\- a'],
    ['1. a', '1\\. a'],
    ['a<br>---', 'a  \n\\---'],
    ['&gt; a', '\\> a'],
    ['&lt;script&gt;', '\\<script>'],
    ['2 * 3 *x* _y_ snake_case', '2 * 3 \\*x\\* \\_y\\_ snake_case'],
    ['`a` \\* c:\\dir', '\\`a\\` \\\\\\* c:\\dir'],
  ])('lets no text become a mark: %s', (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it('reads XHTML with its prefixes and empty elements', () => {
    const xhtml = '<x:div><a name="x"/><x:p>a<x:br/>b</x:p><script/><x:p>c<![CDATA[<d>]]></x:p></x:div>';
    expect(htmlToMarkdown(xhtml, null, { xml: true })).toBe('a  \nb\n\nc\\<d>');
  });

  // Each would take minutes or the stack if its time grew with more than its length.
  const repeated: readonly [string, string][] = [
    ...[
      '<b>',
      '<div>',
      '<ul><li>',
      '<blockquote>',
      '<table><tr><td>',
      '<a href=x>',
      '<p>x</p>',
      '<br>x',
      '<br>',
      '<dt>',
      '<pre>',
    ].flatMap((part): [string, string][] => [[part, part]]),
    ['end tags', '</i>'],
    ['blanks', ' '],
    ['backslashes', '\\'],
    ['marks', '*_`[]<&'],
    ['entities', '&amp'],
    ['attributes', '<a b="'],
    ['open tags', '<'],
    ['comments', '<!--'],
    ['cells', '<td>a'],
    ['scripts', '<script>'],
    ['paragraphs in marks', '<b><i><p>x'],
  ];
  it.each(repeated)('takes 300,000 characters of %s', (_, part) => {
    const hostile = part.repeat(300_000 / part.length);
    const read = markdown(`<p>first</p>${'<b>'.repeat(50_000)}${hostile}`);
    expect(read).toMatch(/^first/);
    expect(read.length).toBeLessThan(2_000_000);
  });

  it('does not grow what is nested without bound', () => {
    const nested = `${'<ul><li>'.repeat(50)}<pre>${'x\n'.repeat(500_000)}</pre>`;
    expect(markdown(nested).length).toBeLessThan(6_000_000);
  });

  it('keeps the text of elements that are nested too deeply', () => {
    expect(markdown(`${'<div>'.repeat(5_000)}<b>deep</b>${'</div>'.repeat(5_000)}<p>after</p>`)).toBe('deep\n\nafter');
  });
});

describe('htmlToLine', () => {
  it.each([
    ['a <b>b</b><br>c<p>d</p>', 'a b c d'],
    ['Tom &amp; Jerry &ndash; 1 &lt; 2', 'Tom & Jerry – 1 < 2'],
    ['<style>x</style>a<script>y</script>', 'a'],
  ])('%s', (html, line) => {
    expect(htmlToLine(html)).toBe(line);
  });
});
