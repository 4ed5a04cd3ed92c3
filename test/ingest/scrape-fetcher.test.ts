import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../src/delivery/target-guard.ts';
import type { FetchFailed } from '../../src/ingest/fetch-failed.ts';
import { createScrapeFetcher } from '../../src/ingest/scrape/scrape-fetcher.ts';
import type { FetchMemory, SourceToFetch } from '../../src/ingest/source-fetcher.ts';
import {
  page,
  redirectTo,
  type SitePage,
  type SiteStandin,
  startSiteStandin,
  validated,
} from '../standin/site/site-standin.ts';

const http = createHttpClient();
let site: SiteStandin;
let other: SiteStandin;
beforeAll(async () => {
  [site, other] = [await startSiteStandin(), await startSiteStandin()];
});
beforeEach(() => {
  for (const each of [site, other]) each.put('/robots.txt', page('', {}, 404));
});
afterAll(async () => {
  await http.close();
  await Promise.all([site.close(), other.close()]);
});

const targets = createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate: true });

interface Reading {
  readonly scrape?: unknown;
  readonly memory?: FetchMemory;
}

const readPage = (content: SitePage, { scrape, memory = {} }: Reading = {}) => {
  site.put('/changes', content);
  const fetcher = createScrapeFetcher({ http, targets, clock: systemClock });
  const metadata = scrape === undefined ? {} : { scrape };
  const source: SourceToFetch = { id: 'src_1', type: 'scrape', url: `${site.url}/changes`, metadata, memory };
  return fetcher.fetch(source, systemClock.nowMs() + 60_000);
};

const failure = (content: SitePage, reading: Reading = {}) =>
  readPage(content, reading).then(
    () => 'no failure',
    ({ reason, status, message }: FetchFailed) => [reason, status, message],
  );

const changes = `<!doctype html><html><head><title>Changes 1.0</title></head><body>
<nav><h2>9.9.9</h2></nav>
<main><h1>Changelog</h1><p>All of it.</p>
<section><h2 id="two">Version 2.0.0 <small>(2026-03-01)</small></h2><ul><li>New <b>things</b></li></ul></section>
<section><h2>1.9.0 – February 3, 2026</h2><p>See <a href="/more">more</a>.</p></section></main>
<footer><p>Imprint</p></footer></body></html>`;

describe('without rules', () => {
  it('a page is split at the headings that name versions', async () => {
    const { items, isNew, leftOut } = await readPage(page(changes));
    expect({ isNew, leftOut }).toEqual({ isNew: true, leftOut: [] });
    expect(items).toMatchObject([
      {
        version: '2.0.0',
        publishedAt: '2026-03-01T00:00:00.000Z',
        content: expect.stringMatching(/New \*\*things\*\*/),
      },
      { version: '1.9.0', publishedAt: '2026-02-03T00:00:00.000Z', content: `See [more](${site.url}/more).` },
    ]);
  });

  it('a page is split at the headings that name dates, where none names a version', async () => {
    const { items } = await readPage(
      page('<body><h1>News</h1><h3>March 5, 2026</h3><p>One</p><h3>March 1, 2026</h3><p>Two</p></body>'),
    );
    expect(items.map(({ publishedAt, content }) => [publishedAt, content])).toEqual([
      ['2026-03-05T00:00:00.000Z', 'One'],
      ['2026-03-01T00:00:00.000Z', 'Two'],
    ]);
  });

  it('the encoding is the one that the page declares', async () => {
    const latin = Buffer.from('<meta charset="iso-8859-1"><h2>1.0.0</h2><p>Grüße</p>', 'latin1');
    const { items } = await readPage(page(latin, { 'content-type': 'text/html' }));
    expect(items[0]?.content).toBe('Grüße');
  });

  it('a page without any such heading fails, instead of never telling anything', async () => {
    expect(await failure(page('<h1>Welcome</h1>'))).toEqual([
      'unreadable',
      200,
      'The page has no heading with a version or a date.',
    ]);
  });
});

describe('with the rules of its site', () => {
  const posts = `<base href="/blog/"><div class="post"><time datetime="2026-03-05T10:00:00Z">yesterday</time>
    <h3>Faster search, 2.1.0</h3><a class="more" href="search">Read</a><p>Text <i>one</i></p><div class="post">inner</div></div>
    <div class="post"><h3>Dark mode</h3><span class="when">3 March 2026</span><p>Text two</p></div>
    <div class="post"><p>An advertisement</p></div>`;

  it('finds entries with titles, dates, links and content', async () => {
    const { items, leftOut } = await readPage(page(posts), {
      scrape: { entry: 'div.post', title: 'h3', date: 'time, .when', link: 'a.more', content: 'p' },
    });
    expect(items).toEqual([
      {
        title: 'Faster search, 2.1.0',
        version: '2.1.0',
        publishedAt: '2026-03-05T10:00:00.000Z',
        url: `${site.url}/blog/search`,
        content: 'Text *one*',
      },
      { title: 'Dark mode', publishedAt: '2026-03-03T00:00:00.000Z', content: 'Text two' },
    ]);
    expect(leftOut).toEqual([{ entry: 'entry 3 of the page', reason: 'No release can be made of this entry.' }]);
  });

  it('takes as content what title and date leave of an entry', async () => {
    const { items } = await readPage(page(posts), { scrape: { entry: '.post', date: '.when' } });
    expect(items.map(({ title, content }) => [title, content?.replace(/\s+/g, ' ')])).toContainEqual([
      'Dark mode',
      'Text two',
    ]);
  });

  it.each([
    ['no object', 'div'],
    ['no entry', { title: 'h3' }],
    ['an unknown key', { entry: 'div', author: 'p' }],
    ['no selector', { entry: 'div[' }],
    ['a selector that looks at other elements', { entry: 'div:has(h3)' }],
    ['a selector of siblings', { entry: 'h3 ~ p' }],
    ['a selector of places', { entry: 'div:nth-child(2)' }],
  ])('refuses rules with %s, and asks nobody', async (_, scrape) => {
    const before = site.asked.length;
    expect(await failure(page(posts), { scrape })).toEqual([
      'unreadable',
      null,
      expect.stringContaining('metadata.scrape'),
    ]);
    expect(site.asked).toHaveLength(before);
  });

  it('fails where they find nothing', async () => {
    const [reason, , message] = await failure(page(posts), { scrape: { entry: 'article' } });
    expect([reason, message]).toEqual(['unreadable', 'The page has nothing that metadata.scrape describes.']);
  });
});

describe('a page that was read', () => {
  it.each([{ etag: '"1"' }, { 'last-modified': 'Sun, 01 Mar 2026 10:00:00 GMT' }])(
    'is known by %j',
    async (validators) => {
      const { memory } = await readPage(validated(changes, validators));
      expect(await readPage(validated(changes, validators), { memory })).toMatchObject({
        isNew: false,
        items: [],
        memory,
      });
      const others = validated(changes.replace('things', 'more'), { etag: '"2"' });
      expect(await readPage(others, { memory })).toMatchObject({ isNew: true });
    },
  );

  it('is known by its text where it has no validators', async () => {
    const { memory } = await readPage(page(changes));
    const visit = page(changes.replace('<body>', '<body data-visit="2">'));
    expect(await readPage(visit, { memory })).toMatchObject({ isNew: false, items: [] });
    expect(await readPage(page(changes.replace('things', 'more')), { memory })).toMatchObject({ isNew: true });
  });

  it('by other rules is read anew', async () => {
    const { memory } = await readPage(validated(changes, { etag: '"1"' }));
    const again = await readPage(validated(changes, { etag: '"1"' }), { memory, scrape: { entry: 'section' } });
    expect(again).toMatchObject({ isNew: true, items: [{ version: '2.0.0' }, { version: '1.9.0' }] });
  });
});

describe('robots rules', () => {
  it('keep us from a page', async () => {
    site.put('/robots.txt', page('User-agent: *\nDisallow: /changes'));
    const before = site.asked.length;
    expect(await failure(page(changes))).toEqual(['blocked', null, expect.stringMatching(/robots/)]);
    expect(site.asked.slice(before)).toEqual(['/robots.txt']);
  });

  it('of another host keep us from going there', async () => {
    other.put('/robots.txt', page('User-agent: *\nDisallow: /'));
    other.put('/changes', page(changes));
    const before = other.asked.length;
    expect(await failure(redirectTo(`${other.url}/changes`))).toEqual([
      'blocked',
      null,
      expect.stringMatching(/robots/),
    ]);
    expect(other.asked.slice(before)).toEqual(['/robots.txt']);
  });
});

describe('a failure is named', () => {
  it.each([
    ['unreadable', 404, page('', {}, 404)],
    ['refused', 403, page('', {}, 403)],
    ['limited', 429, page('', {}, 429)],
    ['server_error', 500, page('', {}, 500)],
    ['unreadable', 200, page('{}', { 'content-type': 'application/json' })],
    ['too_large', 200, page('x'.repeat(11 * 1024 * 1024))],
  ])('%s: %i', async (reason, status, content) => {
    expect((await failure(content)).slice(0, 2)).toEqual([reason, status]);
  });
});

it('does not go down into a page without a floor', async () => {
  const [, , message] = await failure(page(`<h1>1.0.0</h1>${'<div>'.repeat(50_000)}`));
  expect(message).toBe('The page is nested more than 512 elements deep.');
});

it('does not take in a page of more elements than there is memory for', async () => {
  const [reason, , message] = await failure(page(`<h1>1.0.0</h1>${'<p>'.repeat(300_000)}`));
  expect([reason, message]).toEqual(['too_large', 'The page has more than 300000 elements.']);
  expect((await readPage(page(`<h1>1.0.0</h1>${'<p>'.repeat(299_999)}`))).items).toHaveLength(1);
});

it('reads a hostile page in a time that follows from its length: this test would not end', async () => {
  const deep = '<div class="post"><b>'.repeat(250) + '</b></div>'.repeat(250);
  const entries = `<h2>1.0.0</h2>${deep.repeat(100)}${'<a '.repeat(200_000)}`;
  const scrape = { entry: 'div div div div div', title: 'div b div b div b', content: 'div div b' };
  expect((await failure(page(entries), { scrape })).slice(0, 2)).toEqual(['unreadable', 200]);
  const around = await readPage(page(`<h2>1.0.0</h2><p>Text</p>${'<nav>x</nav><b></b>'.repeat(140_000)}`));
  expect(around.items).toMatchObject([{ content: 'Text' }]);
  const many = '<section><h2>1.0.0</h2><p>x</p></section>'.repeat(20_000);
  expect((await readPage(page(many), { scrape: { entry: 'section' } })).items).toHaveLength(500);
});

it('says what of a long page was not taken in', async () => {
  const reason = 'They are older, and more than one fetch takes in.';
  const section = (minor: number, text: string) => `<section><h2>1.${minor}.0</h2><p>${text}</p></section>`;
  const many = Array.from({ length: 1_200 }, (_, nth) => section(1_200 - nth, 'x')).join('');
  expect((await readPage(page(many))).leftOut).toEqual([{ entry: '700 more', reason }]);
  expect((await readPage(page(many), { scrape: { entry: 'section' } })).leftOut).toEqual([
    { entry: '200 more', reason },
    { entry: '500 more', reason },
  ]);
  const long = [2, 1].map((minor) => section(minor, 'A word. '.repeat(100_000))).join('');
  expect((await readPage(page(long))).leftOut).toMatchObject([{ entry: 'the end of the page' }]);
});
