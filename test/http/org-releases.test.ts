import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService, webBaseUrl } from '../spec/http/http-service.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';
import { issueTestToken } from '../spec/http/preamble.ts';

let service: HttpService;
let admin: string;
let org: { id: string };
let rocket: { id: string };
let code: { id: string };
let blog: { id: string };
let codeReleases: string[];

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

// One story for all: only the last test writes.
beforeAll(async () => {
  service = await startHttpService();
  admin = await issueTestToken(service, 'admin');
  const create = async (path: string, fields: object) => (await service.post(`/v1/${path}`, fields)).body;
  org = await create('orgs', { name: 'Acme', domain: 'acme.example', avatarUrl: 'https://acme.example/a.png' });
  rocket = await create('products', { name: 'Rocket', orgId: org.id, kind: 'tool' });
  const inOrg = { orgId: org.id };
  code = await create('sources', {
    name: 'Code',
    url: 'https://github.com/acme/rocket',
    productSlug: 'rocket',
    ...inOrg,
  });
  blog = await create('sources', { name: 'Blog', url: 'https://acme.example/blog', kind: 'docs', ...inOrg });
  const veiled = await create('sources', { name: 'Veiled', url: 'https://acme.example/x', isHidden: true, ...inOrg });
  await create('orgs', { name: 'Empty' });
  codeReleases = await ingestInto(service, code.id, [
    { title: 'One', version: '1.0.0', publishedAt: ago(100), content: '# Heading\n\nFirst words', importance: 4 },
    { title: 'Two', version: '2.0.0', publishedAt: ago(10) },
    { title: 'Three', version: '3.0.0-beta.1', publishedAt: ago(5) },
    { title: 'Future', version: '9.0.0', publishedAt: ago(-3) },
  ]);
  await ingestInto(service, blog.id, [{ title: 'Post', publishedAt: ago(50) }, { title: 'Undated' }]);
  await ingestInto(service, veiled.id, [{ title: 'Secret', publishedAt: ago(1) }]);
});
afterAll(() => service.close());

const feed = (search = '', options = {}) => service.get(`/v1/orgs/acme/releases${search}`, options);
const titlesOf = (answer: { body: { releases: { title: string }[] } }) =>
  answer.body.releases.map(({ title }) => title);

describe('the releases of an org', () => {
  it('come newest first, dated before undated, without prereleases, hidden sources and what is not due', async () => {
    const answer = await feed();
    expect(titlesOf(answer)).toEqual(['Two', 'Post', 'One', 'Undated']);
    expect(answer.body.pagination).toEqual({ nextCursor: null, limit: 20 });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    for (const name of [org.id, 'ACME', 'acme.example']) {
      expect((await service.get(`/v1/orgs/${name}/releases`)).body).toEqual(answer.body);
    }
    // An admin who asks for the org sees the org, not what is hidden below it.
    expect(titlesOf(await feed('', { key: admin }))).toEqual(titlesOf(answer));
  });

  it('are whole feed items with their content', async () => {
    const { body } = await feed('?until=90d');
    expect(body.releases).toEqual([
      {
        id: codeReleases[0],
        version: '1.0.0',
        title: 'One',
        summary: expect.stringContaining('First words'),
        description: body.releases[0].summary,
        content: '# Heading\n\nFirst words',
        publishedAt: expect.stringMatching(/\.\d{3}Z$/),
        fetchedAt: expect.stringMatching(/\.\d{3}Z$/),
        url: null,
        webUrl: `${webBaseUrl}/release/${codeReleases[0]}-one`,
        media: [],
        type: 'feature',
        prerelease: false,
        titleGenerated: null,
        titleShort: null,
        breaking: expect.any(String),
        importance: 4,
        composition: null,
        contentChars: 22,
        contentTokens: 1,
        coverageCount: 0,
        coverageOf: null,
        orgId: org.id,
        productId: rocket.id,
        sourceId: code.id,
        source: {
          id: code.id,
          slug: 'code',
          name: 'Code',
          type: 'github',
          kind: 'tool',
          orgSlug: 'acme',
          orgName: 'Acme',
        },
        org: { id: org.id, slug: 'acme', name: 'Acme', avatarUrl: 'https://acme.example/a.png', githubHandle: null },
        product: { id: rocket.id, slug: 'rocket', name: 'Rocket', kind: 'tool' },
        groupSlug: 'rocket',
        groupName: 'Rocket',
      },
    ]);
  });

  it('are filtered by source type, resolved kind, product, date and lane', async () => {
    expect(titlesOf(await feed('?source_type=scrape'))).toEqual(['Post', 'Undated']);
    expect(titlesOf(await feed('?source_type=video'))).toEqual([]);
    expect(titlesOf(await feed('?kind=tool'))).toEqual(['Two', 'One']);
    expect(titlesOf(await feed('?kind=docs'))).toEqual(['Post', 'Undated']);
    expect(titlesOf(await feed('?product=rocket'))).toEqual(['Two', 'One']);
    expect(titlesOf(await feed(`?product=${rocket.id}&source_type=scrape`))).toEqual([]);
    expect(titlesOf(await feed('?include_prereleases=true'))).toEqual(['Three', 'Two', 'Post', 'One', 'Undated']);
    expect(titlesOf(await feed('?include_coverage=1'))).toEqual(['Two', 'Post', 'One', 'Undated']);
    expect(titlesOf(await feed('?since=2M'))).toEqual(['Two', 'Post']);
    expect(titlesOf(await feed(`?until=${ago(50).slice(0, 10)}`))).toEqual(['Post', 'One']);
    expect(titlesOf(await feed(`?since=${encodeURIComponent(ago(51))}&until=${ago(49)}`))).toEqual(['Post']);
    expect(titlesOf(await service.get('/v1/orgs/empty/releases'))).toEqual([]);
  });

  it('are followed by cursor to the end, which needs no empty page', async () => {
    const first = await feed('?limit=3');
    expect(titlesOf(first)).toEqual(['Two', 'Post', 'One']);
    const { nextCursor } = first.body.pagination;
    // The page size is the reader's business, and so is what the feed does not know.
    const last = await feed(`?limit=1&colour=red&cursor=${nextCursor}`);
    expect(titlesOf(last)).toEqual(['Undated']);
    expect(last.body.pagination).toEqual({ nextCursor: null, limit: 1 });
    for (const search of [`?kind=tool&cursor=${nextCursor}`, '?cursor=nonsense', `?cursor=${'x'.repeat(600)}`]) {
      const { status, body } = await feed(search);
      expect(status, search).toBe(400);
      expect(body.error.code).toBe('invalid_cursor');
    }
    expect((await service.get(`/v1/orgs/empty/releases?cursor=${nextCursor}`)).body.error.code).toBe('invalid_cursor');
    expect((await feed('?limit=1000')).body.pagination.limit).toBe(100);
  });

  it.each([
    ['limit=0', 'limit'],
    ['kind=car', 'kind'],
    ['kind=Tool', 'kind'],
    ['source_type=car', 'source_type'],
    ['include_coverage=maybe', 'include_coverage'],
    ['since=yesterday', 'since'],
    ['since=2026-02-30', 'since'],
    ['until=2026-01-01T00:00:00', 'until'],
    ['until=7', 'until'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ['asOf=7d', 'asOf'],
    ['asOf=2026-01-01T00:00:00', 'asOf'],
    ['asOf=2999-01-01', 'asOf'],
  ])('refuse %s, also before looking for the org', async (search, parameter) => {
    for (const slug of ['acme', 'nobody']) {
      const { status, body } = await service.get(`/v1/orgs/${slug}/releases?${search}`);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'invalid_parameter', details: { parameter } });
    }
  });

  it('say which values are allowed, and which parameters contradict each other', async () => {
    expect((await feed('?source_type=car')).body.error.details.allowed).toContain('appstore');
    const { body } = await feed('?since=1d&until=2d');
    expect(body.error).toMatchObject({
      code: 'conflicting_parameters',
      details: { parameters: ['since', 'until'] },
    });
  });

  it('need an org and a product that are there', async () => {
    const unknown = await service.get('/v1/orgs/nobody/releases?product=rocket');
    expect(unknown.status).toBe(404);
    expect(unknown.body.error.details).toEqual({ entity: 'org' });
    for (const product of ['nothing', 'prod_000000000000000000000', 'x'.repeat(1000)]) {
      const { status, body } = await feed(`?product=${product}`);
      expect(status).toBe(404);
      expect(body.error.details).toEqual({ entity: 'product' });
    }
    const elsewhere = await service.get(`/v1/orgs/empty/releases?product=${rocket.id}`);
    expect(elsewhere.body.error.details).toEqual({ entity: 'product' });
  });

  it('answer 304 while nothing changed', async () => {
    const { headers } = await feed();
    const again = await feed('', { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  it('lose the product, not the releases, when it is hidden or deleted, and come back with it', async () => {
    await service.patch(`/v1/products/${rocket.id}`, { isHidden: true });
    const [two] = (await feed()).body.releases;
    expect(two).toMatchObject({ title: 'Two', productId: null, product: null, groupSlug: 'code', groupName: 'Code' });
    expect(two.source.kind).toBeNull();
    expect((await feed('?product=rocket')).status).toBe(404);
    expect(titlesOf(await feed('?product=rocket', { key: admin }))).toEqual(['Two', 'One']);
    await service.patch(`/v1/products/${rocket.id}`, { isHidden: false });
    await service.remove(`/v1/products/${rocket.id}`);
    expect((await feed()).body.releases[0].product).toBeNull();
    await service.post(`/v1/products/${rocket.id}/restore`, undefined);
    expect((await feed()).body.releases[0].product).toMatchObject({ slug: 'rocket' });
    await service.remove(`/v1/sources/${blog.id}`);
    expect(titlesOf(await feed())).toEqual(['Two', 'One']);
    await service.post(`/v1/sources/${blog.id}/restore`, undefined);
    expect(titlesOf(await feed())).toEqual(['Two', 'Post', 'One', 'Undated']);
  });
});
