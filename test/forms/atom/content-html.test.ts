import { describe, expect, it } from 'vitest';
import { contentHtml } from '../../../src/forms/atom/content-html.ts';

const webUrl = 'https://registry.example/release/rel_1';
const html = (content: string, summary = '') => contentHtml({ content, summary, webUrl });

describe('the text of a release', () => {
  it('is rendered from Markdown, tables and HTML too', () => {
    expect(html('# A\n\n- b\n\n[c](https://x.example "t")\n\n|d|\n|-|\n|e|')).toBe(
      '<h1>A</h1>\n<ul>\n<li>b</li>\n</ul>\n<p><a href="https://x.example" title="t">c</a></p>\n' +
        '<table>\n<thead>\n<tr>\n<th>d</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>e</td>\n</tr>\n</tbody>\n</table>',
    );
    expect(html('<details><summary>More</summary>text</details>')).toBe(
      '<details><summary>More</summary>text</details>',
    );
  });

  it('is its summary, as text, when there is none', () => {
    expect(html('', 'a <b> & "c"')).toBe('<p>a &lt;b&gt; &amp; &quot;c&quot;</p>');
    expect(html('<script>only</script>', 'summary')).toBe('<p>summary</p>');
    expect(html('')).toBe('');
  });

  it.each([
    '<script>alert(1)</script>text',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" jAvA\nscript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](vbscript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '<javascript:alert(1)>',
    '<style>* { display: none }</style>text',
    '<p style="background: url(javascript:alert(1))">x</p>',
    '<iframe src="https://evil.example"></iframe>',
    '<object data="https://evil.example"></object><embed src="x">',
    '<form action="https://evil.example"><input name="a"><button>b</button></form>',
    '<svg><script>alert(1)</script></svg>',
    '<svg onload=alert(1)>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<base href="https://evil.example"><meta http-equiv="refresh" content="0"><link rel="stylesheet" href="x">',
    '<a href="//evil.example">x</a>',
    '<textarea><script>alert(1)</script></textarea>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<xmp><script>alert(1)</script></xmp>',
    '<img src="x" srcset="javascript:alert(1) 2x">',
    '<video poster="javascript:alert(1)"></video>',
    '<button formaction="javascript:alert(1)">x</button>',
  ])('does nothing but show: %s', (content) => {
    // What is left is parsed as a browser would: only tags and attributes that are allowed, and no address that runs.
    for (const [, tag = '', attributes = ''] of html(content).matchAll(/<([a-z]\w*)([^>]*)>/gi)) {
      expect(tag).toMatch(/^(p|a|img|br|h1|div|span|strong|em|code|pre)$/);
      for (const [, name, value = ''] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) {
        expect(name).toMatch(/^(href|src|alt|title)$/);
        expect(value).not.toMatch(/^\s*(javascript|vbscript|data):|^\/\//i);
      }
    }
  });

  const megabyte = (part: string) => part.repeat(Math.ceil(1_000_000 / part.length)).slice(0, 1_000_000);

  it.each([
    ['brackets', megabyte('[')],
    ['images', megabyte('![')],
    ['links', megabyte('[a](b')],
    ['stars', megabyte('*a_')],
    ['ticks', megabyte('`a``b```')],
    ['quotes', megabyte('> ')],
    ['tags', megabyte('<b>')],
    ['blocks', megabyte('<div>\n\n')],
    ['comments', megabyte('<!--')],
    ['attributes', `<a ${megabyte('x="" ')}`],
    ['headings', megabyte('#\n')],
    ['lists', megabyte('*\n')],
    ['references', megabyte('[a]: b\n')],
    ['a wide table', `${'|a'.repeat(700)}\n${'|-'.repeat(700)}\n${megabyte('a\n')}`],
    ['entities', megabyte('&')],
  ])('of a megabyte of %s is bounded', (_, content) => {
    expect(html(content, 'summary').length).toBeLessThanOrEqual(65_536);
  });

  it('that is long is cut, ends its code, and leads to the page', () => {
    const cut = html(`\`\`\`\n${'line of code\n'.repeat(2_000)}`);
    expect(cut.length).toBeLessThan(12_000);
    expect(cut).toMatch(
      /line of code\n<\/code><\/pre>\n<p><a href="https:\/\/registry\.example\/release\/rel_1">…<\/a><\/p>$/,
    );
  });

  it('that is cut within HTML leads to the page all the same', () => {
    expect(html(`<pre>\n\n${'line of code\n'.repeat(2_000)}</pre>`)).toMatch(
      /line of code\n<\/pre>\n<p><a href="https:\/\/registry\.example\/release\/rel_1">…<\/a><\/p>$/,
    );
  });
});
