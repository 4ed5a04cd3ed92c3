import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { parseAtom } from '../spec/forms/parse-atom.ts';
import { type HttpService, rootApiKey, startHttpService, webBaseUrl } from '../spec/http/http-service.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

const addOrg = (slug: string, fields: object = {}) => service.create('/v1/orgs', { name: slug, slug, ...fields });
const addSource = (slug: string, fields: object = {}) =>
  service.create('/v1/sources', { name: slug, slug, url: `https://${slug}.example`, ...fields });
const addReleases = async (sourceId: string, releases: readonly object[]): Promise<string[]> => {
  const { body } = await service.post(`/v1/sources/${sourceId}/releases/batch`, { releases });
  return body.items.map(({ id }: { id: string }) => id);
};

const look = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.get(path, { redirect: 'manual', headers });
const leadsTo = async (path: string) => {
  const { status, headers, text } = await look(path);
  return { status, text, to: headers.get('location') };
};
const moved = (to: string) => ({ status: 308, text: '', to });

describe('a suffix', () => {
  let shadowed: string;
  let ids: Record<'org' | 'product' | 'source' | 'standalone' | 'release', string>;

  beforeAll(async () => {
    const org = await addOrg('pages', { domain: 'pages.example', description: 'Pages.' });
    const product = await service.create('/v1/products', { name: 'Both', slug: 'both', orgId: org.id });
    const source = await addSource('code', { orgId: org.id, productId: product.id });
    shadowed = (await addSource('both', { orgId: org.id, productId: product.id })).id;
    const standalone = await addSource('alone');
    await service.create('/v1/collections', { name: 'Shelf', slug: 'shelf' });
    const members = [{ orgId: org.id }];
    const put = await service.call('PUT', '/v1/collections/shelf/members', { body: { members } });
    expect(put.status, put.text).toBe(200);
    const [release = ''] = await addReleases(source.id, [
      { title: 'Hello there', version: '1.0.0', content: 'Hi.', publishedAt: day(1), migrationNotes: 'None.' },
      { title: 'Nearly', version: '2.0.0-rc.1', publishedAt: day(2) },
    ]);
    await addReleases(standalone.id, [{ title: 'Alone' }]);
    ids = { org: org.id, product: product.id, source: source.id, standalone: standalone.id, release };
  });

  const pairs = () =>
    [
      ['/pages', '/v1/orgs/pages'],
      ['/pages/both', `/v1/products/${ids.product}`],
      ['/pages/code', '/v1/orgs/pages/sources/code'],
      [`/release/${ids.release}-hello-there`, `/v1/releases/${ids.release}`],
      ['/collections/shelf', '/v1/collections/shelf/releases'],
    ] as const;

  it('json answers as the API does to anybody, whatever credential is sent', async () => {
    await service.call('PUT', '/v1/orgs/pages/playbook', { body: { content: 'secret' } });
    for (const [page, api] of pairs()) {
      const { text, headers } = await service.get(api);
      const anonymous = await look(`${page}.json`);
      expect(anonymous.text, page).toBe(text);
      expect(anonymous.headers.get('etag'), page).toBe(headers.get('etag'));
      const admin = await service.get(`${page}.json`, { key: rootApiKey });
      expect([admin.status, admin.text], page).toEqual([200, text]);
      expect(admin.headers.get('cache-control'), page).toBe('private, no-store');
    }
    expect((await look('/source/alone.json')).body).toMatchObject({
      id: ids.standalone,
      releases: [{ title: 'Alone' }],
    });
  });

  it('md answers with the Markdown of the same', async () => {
    for (const [page, api] of pairs()) {
      const { text } = await service.get(api, { headers: { accept: 'text/markdown' } });
      const answer = await look(`${page}.md`);
      expect(answer.text, page).toBe(text);
      expect(answer.headers.get('content-type'), page).toBe('text/markdown; charset=utf-8');
    }
    expect((await look('/source/alone.md')).text).toContain(`\nurl: ${webBaseUrl}/source/alone\n`);
  });

  it('atom answers with the default feed', async () => {
    const feeds = [
      ['/pages', ids.org, 'pages'],
      ['/pages/both', ids.product, 'Both'],
      ['/pages/code', ids.source, 'code'],
    ] as const;
    for (const [page, id, name] of feeds) {
      const { text, headers, status } = await look(`${page}.atom`);
      expect(status, text).toBe(200);
      expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
      const feed = parseAtom(text);
      expect(feed).toMatchObject({ id: `tag:registry.example,2026:${id}`, title: `${name} releases` });
      expect(feed).toMatchObject({ self: `${webBaseUrl}${page}.atom`, alternate: `${webBaseUrl}${page}` });
      expect(feed.entries).toMatchObject([
        {
          id: `tag:registry.example,2026:${ids.release}`,
          title: 'Hello there (1.0.0)',
          alternate: `${webBaseUrl}/release/${ids.release}-hello-there`,
          published: day(1),
          author: 'pages',
          category: 'code',
          content: '<p>Hi.</p>',
        },
      ]);
      expect(headers.get('last-modified')).toBe(new Date(feed.updated).toUTCString());
    }
    expect(parseAtom((await look('/collections/shelf.atom')).text).entries).toHaveLength(1);
    expect(parseAtom((await look('/source/alone.atom')).text).entries).toMatchObject([{ author: 'alone' }]);
  });

  it('keeps robots away, names its page, and may be kept for five minutes', async () => {
    const pages = pairs().flatMap(([page]) => [
      [page, '.json'],
      [page, '.md'],
    ]);
    for (const [page, suffix] of [...pages, ['/pages', '.atom'], ['/source/alone', '.atom']]) {
      const { headers } = await look(`${page}${suffix}`);
      expect(headers.get('x-robots-tag'), page).toBe('noindex');
      expect(headers.get('link'), page).toBe(`<${webBaseUrl}${page}>; rel="canonical"`);
      expect(headers.get('cache-control'), page).toBe('public, max-age=300, stale-while-revalidate=60');
    }
  });

  it('names the moment that it was asked about', async () => {
    const asOf = new Date().toISOString();
    await eventually('the moment has passed', () => Date.now() > Date.parse(asOf));
    for (const page of ['/pages', `/release/${ids.release}-hello-there`]) {
      for (const suffix of ['.json', '.md']) {
        const { status, headers } = await look(`${page}${suffix}?asOf=${asOf}`);
        expect([status, headers.get('x-service-as-of')], page).toEqual([200, asOf]);
        expect(headers.get('x-robots-tag'), page).toBe('noindex');
        expect((await look(`${page}${suffix}`)).headers.has('x-service-as-of'), page).toBe(false);
      }
    }
  });

  it('of a source whose slug a product has is found by its id, and linked so', async () => {
    for (const suffix of ['json', 'md', 'atom']) {
      expect((await look(`/pages/${shadowed}.${suffix}`)).status).toBe(200);
      expect(await leadsTo(`/source/${shadowed}.${suffix}`)).toEqual(moved(`/pages/${shadowed}.${suffix}`));
      expect(await leadsTo(`/pages/${ids.source}.${suffix}`)).toEqual(moved(`/pages/code.${suffix}`));
    }
    expect((await look(`/pages/${shadowed}.json`)).body).toMatchObject({ id: shadowed, slug: 'both' });
    const url = `${webBaseUrl}/pages/${shadowed}`;
    expect((await look(`/pages/${shadowed}.md`)).text).toContain(`\nurl: ${url}\n`);
    expect((await look('/pages.md')).text).toContain(`- [both](${url}) ·`);
    expect((await look('/pages.md')).text).toContain(`- [Both](${webBaseUrl}/pages/both) ·`);
    expect((await look('/pages/both.md')).text).toContain(`- [both](${url}) ·`);
  });

  it('takes the read models once, whatever it is made of', async () => {
    const services = service.services as { view: HttpService['services']['view'] };
    const { view } = services;
    let taken = 0;
    services.view = () => {
      taken += 1;
      return view();
    };
    try {
      for (const [page, api] of pairs()) {
        for (const path of [`${page}.json`, `${page}.md`, `${page}.atom`, api]) {
          if (page.startsWith('/release') && path.endsWith('.atom')) continue;
          taken = 0;
          const { status } = await look(path, { accept: 'text/markdown', 'x-service-min-position': '1' });
          expect([status, taken], path).toEqual([200, 1]);
        }
      }
    } finally {
      services.view = view;
    }
  });

  it('tells of a text when it was revised, as the same document says', async () => {
    const services = service.services as { view: HttpService['services']['view'] };
    const { view } = services;
    let documents = 0;
    services.view = async () => {
      const taken = await view();
      const of: typeof taken.models.of = (projection) => {
        const model = taken.models.of(projection);
        const get: typeof model.get = (releaseIds) => {
          if (projection.name === 'release-detail') documents += 1;
          return model.get(releaseIds);
        };
        return { ...model, get };
      };
      return { ...taken, models: { ...taken.models, of } };
    };
    try {
      expect(parseAtom((await look('/pages/code.atom', { 'x-service-min-position': '1' })).text).entries).toHaveLength(
        1,
      );
      expect(documents).toBe(1);
    } finally {
      services.view = view;
    }
  });

  it('takes the parameters that the API takes, cursors too', async () => {
    const { body } = await look('/pages/code.json?include_prereleases=true&limit=1');
    expect(body.releases).toMatchObject([{ title: 'Nearly' }]);
    const { nextCursor } = body.pagination;
    const next = await look(`/pages/code.json?include_prereleases=true&limit=1&cursor=${nextCursor}`);
    expect(next.body.releases).toMatchObject([{ title: 'Hello there' }]);
    const refused = await look('/pages/code.md?limit=none');
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_parameter']);
  });

  it('answers HEAD, and 304 to those who have it', async () => {
    for (const path of ['/pages.json', '/pages.md', '/pages.atom']) {
      const { headers } = await look(path);
      const head = await service.call('HEAD', path, { key: null });
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['etag', 'content-type', 'content-length', 'link', 'last-modified']) {
        expect(head.headers.get(name), `${path} ${name}`).toBe(headers.get(name));
      }
      const again = await look(path, { 'if-none-match': headers.get('etag') as string });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', headers.get('etag')]);
    }
  });

  it('waits for a position that it is given', async () => {
    const { headers } = await service.patch('/v1/orgs/pages', { description: 'Newer pages.' });
    const position = headers.get('x-service-position') as string;
    expect((await look('/pages.json', { 'x-service-min-position': position })).body.description).toBe('Newer pages.');
    expect((await look('/pages.md', { 'x-service-min-position': position })).text).toContain('Newer pages.');
  });

  it.each([
    ['/nobody.json', 'org'],
    ['/nobody.example.json', 'org'],
    ['/nobody/code.md', 'org'],
    ['/pages/nothing.atom', 'source'],
    ['/source/nothing.json', 'source'],
    ['/collections/nothing.atom', 'collection'],
    [`/release/rel_${'0'.repeat(21)}.json`, 'release'],
    ['/release/nothing.md', 'release'],
    ['/pages', 'route'],
    ['/pages/code', 'route'],
    ['/source/alone', 'route'],
    ['/pages.xml', 'route'],
    ['/v1/nothing.json', 'route'],
    ['/v1.json', 'route'],
    ['/orgs/pages.json', 'route'],
    ['/.json', 'route'],
  ])('%s is not found, told in the one shape: no %s', async (path, entity) => {
    const { status, body, headers } = await look(path);
    expect([status, body.error.code, body.error.details]).toEqual([404, 'not_found', { entity }]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('has no feed of a release', async () => {
    expect((await look(`/release/${ids.release}-hello-there.atom`)).body.error.details.entity).toBe('route');
  });

  it('is for reading', async () => {
    const { status, headers } = await service.post('/pages.json', {});
    expect([status, headers.get('allow')]).toEqual([404, 'GET, HEAD']);
  });
});

describe('a page that moved', () => {
  it('is found from an id, a domain or another spelling of the org', async () => {
    const org = await addOrg('moving', { domain: 'moving.example', aliases: ['moving.test'] });
    await addSource('news', { orgId: org.id });
    for (const name of [org.id, 'moving.example', 'Moving.Test', 'MOVING']) {
      for (const suffix of ['json', 'md', 'atom']) {
        expect(await leadsTo(`/${name}.${suffix}`)).toEqual(moved(`/moving.${suffix}`));
        expect(await leadsTo(`/${name}/news.${suffix}`)).toEqual(moved(`/moving/news.${suffix}`));
      }
    }
    expect(await leadsTo('/moving.example.json?limit=3&x=%26')).toEqual(moved('/moving.json?limit=3&x=%26'));
  });

  it('is found by its old slugs until another has them', async () => {
    const org = await addOrg('before');
    const source = await addSource('old', { orgId: org.id });
    await service.patch('/v1/orgs/before', { slug: 'between' });
    await service.patch('/v1/orgs/between', { slug: 'after' });
    await service.patch(`/v1/sources/${source.id}`, { slug: 'newer' });
    expect(await leadsTo('/before.atom')).toEqual(moved('/after.atom'));
    expect(await leadsTo('/between/old.md')).toEqual(moved('/after/newer.md'));
    expect(await leadsTo('/after/old.json')).toEqual(moved('/after/newer.json'));
    expect(await leadsTo('/source/old.json')).toEqual(moved('/after/newer.json'));
    await addOrg('before');
    expect((await look('/before.json')).body.slug).toBe('before');
    expect((await look('/before/old.json')).status).toBe(404);
    await service.create('/v1/collections', { name: 'Old shelf', slug: 'old-shelf' });
    await service.patch('/v1/collections/old-shelf', { slug: 'new-shelf' });
    expect(await leadsTo('/collections/old-shelf.atom')).toEqual(moved('/collections/new-shelf.atom'));
  });

  it('of a source by itself is below its org, unless it has none or several have its slug', async () => {
    const [one, two] = [await addOrg('one'), await addOrg('two')];
    await addSource('shared', { orgId: one.id });
    expect(await leadsTo('/source/shared.atom')).toEqual(moved('/one/shared.atom'));
    const twin = await addSource('shared', { orgId: two.id });
    const { status, body } = await look('/source/shared.atom');
    expect([status, body.error.code]).toEqual([409, 'ambiguous_slug']);
    expect(body.error.details.candidates).toMatchObject([{ orgSlug: 'one' }, { orgSlug: 'two' }]);
    expect(await leadsTo(`/source/${twin.id}.json`)).toEqual(moved('/two/shared.json'));
    const standalone = await addSource('shared');
    expect((await look('/source/shared.json')).body.id).toBe(standalone.id);
    expect(await leadsTo(`/source/${standalone.id}.md`)).toEqual(moved('/source/shared.md'));
  });

  it('of a release has the words that it has now', async () => {
    const source = await addSource('words');
    const [id = ''] = await addReleases(source.id, [{ title: 'First words' }]);
    expect((await look(`/release/${id}-first-words.md`)).status).toBe(200);
    expect(await leadsTo(`/release/${id}.json`)).toEqual(moved(`/release/${id}-first-words.json`));
    const then = new Date().toISOString();
    await eventually('the moment has passed', () => Date.now() > Date.parse(then));
    await service.patch(`/v1/releases/${id}`, { title: 'Last words' });
    expect(await leadsTo(`/release/${id}-first-words.md`)).toEqual(moved(`/release/${id}-last-words.md`));
    // Also where it tells of a moment in which it had others.
    const query = `asOf=${then.replaceAll(':', '%3A')}`;
    expect(await leadsTo(`/release/${id}-first-words.md?${query}`)).toEqual(
      moved(`/release/${id}-last-words.md?${query}`),
    );
    const { status, body, headers } = await look(`/release/${id}-last-words.json?${query}`);
    expect([status, body.title, headers.get('x-service-as-of')]).toEqual([200, 'First words', then]);
    expect(headers.get('link')).toBe(`<${webBaseUrl}/release/${id}-last-words>; rel="canonical"`);
  });

  it('shows nothing that is hidden, to admins neither', async () => {
    const org = await addOrg('shady');
    await addSource('secret', { orgId: org.id });
    await service.patch('/v1/orgs/shady', { slug: 'darker' });
    await service.patch('/v1/orgs/darker', { isHidden: true });
    for (const path of ['/shady.json', '/darker.md', '/darker/secret.atom', '/source/secret.json', `/${org.id}.json`]) {
      expect((await service.get(path, { key: rootApiKey, redirect: 'manual' })).status, path).toBe(404);
    }
  });
});

describe('a feed', () => {
  it('has the fifty newest, and is not sent again until something is new', async () => {
    const source = await addSource('many');
    const releases = Array.from({ length: 60 }, (_, index) => ({
      title: `Number ${index}`,
      publishedAt: new Date(Date.UTC(2026, 0, 1) + index * 86_400_000 - 200 * 86_400_000).toISOString(),
    }));
    await addReleases(source.id, releases);
    const first = await look('/source/many.atom');
    const { entries } = parseAtom(first.text);
    expect(entries.map(({ title }) => title)).toEqual(
      releases
        .slice(-50)
        .map(({ title }) => title)
        .reverse(),
    );
    const etag = first.headers.get('etag') as string;
    const modified = first.headers.get('last-modified') as string;
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const answer = await look('/source/many.atom', headers);
      if (answer.status === 304) {
        expect([answer.text, answer.headers.get('etag'), answer.headers.get('last-modified')]).toEqual([
          '',
          etag,
          modified,
        ]);
      }
      return answer.status;
    };
    const earlier = new Date(Date.parse(modified) - 1_000).toUTCString();
    const later = new Date(Date.parse(modified) + 1_000).toUTCString();
    expect(await ask({ 'if-none-match': etag })).toBe(304);
    expect(await ask({ 'if-none-match': `"other", ${etag}` })).toBe(304);
    expect(await ask({ 'if-modified-since': modified })).toBe(304);
    expect(await ask({ 'if-modified-since': later })).toBe(200);
    expect(await ask({ 'if-modified-since': earlier })).toBe(200);
    expect(await ask({ 'if-modified-since': 'some day' })).toBe(200);
    expect(await ask({ 'if-none-match': '"other"', 'if-modified-since': modified })).toBe(200);
    expect(await ask({ 'if-none-match': etag, 'if-modified-since': earlier })).toBe(304);

    await eventually('a second later', () => Date.now() >= Date.parse(modified) + 1_000);
    const id = entries[0]?.id.split(':').at(-1);
    await service.patch(`/v1/releases/${id}`, { content: 'Revised.' });
    expect(await ask({ 'if-none-match': etag })).toBe(200);
    expect(await ask({ 'if-modified-since': modified })).toBe(200);
    const revised = parseAtom((await look('/source/many.atom')).text);
    expect(revised.entries[0]?.content).toBe('<p>Revised.</p>');
    expect(revised.updated).toBe(revised.entries[0]?.updated);
  });

  it('is sent again when its newest entry was taken down, though it is older than before', async () => {
    const source = await addSource('withdrawn');
    await addReleases(source.id, [{ title: 'Stays' }]);
    const { headers: before } = await look('/source/withdrawn.atom');
    const beforeMs = Date.parse(before.get('last-modified') as string);
    await eventually('a second later', () => Date.now() >= beforeMs + 1_000);
    const [id] = await addReleases(source.id, [{ title: 'Goes' }]);
    const modified = (await look('/source/withdrawn.atom')).headers.get('last-modified') as string;
    expect(Date.parse(modified)).toBeGreaterThan(beforeMs);
    await service.post(`/v1/releases/${id}/suppress`, undefined);
    const { status, headers, text } = await look('/source/withdrawn.atom', { 'if-modified-since': modified });
    expect([status, headers.get('last-modified')]).toEqual([200, before.get('last-modified')]);
    expect(parseAtom(text).entries).toMatchObject([{ title: 'Stays' }]);
  });

  it('of nothing is as old as what it is of', async () => {
    const org = await addOrg('quiet');
    const { id, createdAt } = await service.create('/v1/products', { name: 'Idea', slug: 'idea', orgId: org.id });
    const feed = parseAtom((await look('/quiet/idea.atom')).text);
    expect(feed).toMatchObject({ id: `tag:registry.example,2026:${id}`, updated: createdAt, entries: [] });
  });

  it('shows hostile texts harmlessly', async () => {
    const org = await addOrg('hostile', { name: '<b>&amp; ]]> "Bad"' });
    const source = await addSource('hostile', { name: "<script>'s", orgId: org.id });
    const title = '</title><script>alert(1)</script> ]]>';
    await addReleases(source.id, [
      { title, content: '<script>alert(1)</script>\n\n[a](javascript:x) \u0001\u000b', version: '&' },
    ]);
    const { text } = await look('/hostile.atom');
    const [entry] = parseAtom(text).entries;
    expect(entry).toMatchObject({ title: `${title} (&)`, author: '<b>&amp; ]]> "Bad"', category: "<script>'s" });
    expect(entry?.content).toBe('<p>[a](javascript:x) \ufffd</p>'); // as text, and no link
  });
});
