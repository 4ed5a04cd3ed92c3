import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type HttpService, rootApiKey, startHttpService, webBaseUrl } from '../spec/http/http-service.ts';

let service: HttpService;
let org: { id: string };
let source: { id: string };
let product: { id: string };
let releaseId: string;

beforeAll(async () => {
  service = await startHttpService();
  org = await service.create('/v1/orgs', {
    name: 'Acme',
    slug: 'acme',
    domain: 'acme.example',
    description: 'Rockets.',
  });
  product = await service.create('/v1/products', { name: 'Rocket', orgId: org.id, kind: 'tool' });
  source = await service.create('/v1/sources', {
    name: 'Code',
    url: 'https://code.example',
    orgId: org.id,
    productId: product.id,
  });
  await service.create('/v1/collections', { name: 'Tools', slug: 'tools' });
  await service.call('PUT', '/v1/collections/tools/members', { body: { members: [{ orgId: org.id }] } });
  const releases = Array.from({ length: 12 }, (_, index) => ({
    title: `Stage ${index}`,
    version: `${index}.0.0`,
    content: `Text of ${index}.`,
    publishedAt: `2026-01-${String(index + 1).padStart(2, '0')}T00:00:00.000Z`,
  }));
  const { body } = await service.post(`/v1/sources/${source.id}/releases/batch`, { releases });
  releaseId = body.items[11].id;
});
afterAll(() => service.close());

const paths = () => [
  '/v1/orgs/acme',
  '/v1/orgs/acme/releases',
  '/v1/orgs/acme/sources/code',
  '/v1/orgs/acme/products/rocket',
  `/v1/products/${product.id}`,
  `/v1/releases/${releaseId}`,
  '/v1/collections/tools/releases',
];

const read = (path: string, accept: string, headers: Readonly<Record<string, string>> = {}) =>
  service.get(path, { headers: { accept, ...headers } });

const frontMatterOf = (text: string) => parse(/^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? '');

describe('the form of an answer', () => {
  it.each([
    ['text/markdown', 'text/markdown'],
    ['TEXT/Markdown', 'text/markdown'],
    ['text/markdown; charset=utf-8', 'text/markdown'],
    ['text/*', 'text/markdown'],
    ['text/markdown, application/json', 'text/markdown'],
    ['text/markdown, */*', 'text/markdown'],
    ['text/markdown, text/html', 'text/markdown'],
    ['text/markdown;q=0.9, application/json;q=0.8', 'text/markdown'],
    ['application/json;q=0.8, text/markdown;q=0.9', 'text/markdown'],
    ['text/html;q=0.5, text/markdown', 'text/markdown'],
    ['*/*;q=0.1, text/markdown;q=0.2', 'text/markdown'],
    ['text/markdown;q=0.1, application/json;q=0', 'text/markdown'],
    ['application/json;q=0.2, */*;q=0.8, text/markdown;q=0.5', 'text/markdown'],
    ['image/png, text/markdown;q=0.1', 'text/markdown'],
    ['application/json', 'application/json'],
    ['application/json, text/markdown', 'application/json'],
    ['application/*, text/markdown', 'application/json'],
    ['*/*', 'application/json'],
    ['*/*, text/markdown', 'application/json'],
    ['text/html', 'application/json'],
    ['text/html, text/markdown', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['text/markdown;q=0.8, application/json;q=0.9', 'application/json'],
    ['text/markdown;q=0.8, */*', 'application/json'],
    ['text/markdown;q=0', 'application/json'],
    ['text/markdown;q=0, text/*', 'application/json'],
    ['text/markdown;q=0, */*;q=0.1', 'application/json'],
    ['image/png', 'application/json'],
    ['nonsense', 'application/json'],
    ['', 'application/json'],
    [';;q=2,,', 'application/json'],
  ])('asked for with %j is %s', async (accept, type) => {
    for (const path of paths()) {
      const { status, headers } = await read(path, accept);
      expect(status, path).toBe(200);
      expect(headers.get('content-type'), path).toBe(`${type}; charset=utf-8`);
      expect(headers.get('vary')?.split(', '), path).toContain('Accept');
    }
  });

  it('has a tag of its own, and is not sent again to those who have it', async () => {
    for (const path of paths()) {
      const markdown = await read(path, 'text/markdown');
      const json = await read(path, 'application/json');
      const tag = markdown.headers.get('etag') as string;
      expect(tag, path).not.toBe(json.headers.get('etag'));
      const again = await read(path, 'text/markdown', { 'if-none-match': tag });
      expect([again.status, again.text, again.headers.get('etag')], path).toEqual([304, '', tag]);
      expect((await read(path, 'application/json', { 'if-none-match': tag })).status, path).toBe(200);
      const head = await service.call('HEAD', path, { headers: { accept: 'text/markdown' }, key: null });
      expect([head.status, head.text, head.headers.get('etag')], path).toEqual([200, '', tag]);
    }
  });

  it('is kept by caches as JSON is, and by none with a credential', async () => {
    const { headers } = await read('/v1/orgs/acme', 'text/markdown');
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    const options = { headers: { accept: 'text/markdown' }, key: rootApiKey };
    expect((await service.get('/v1/orgs/acme', options)).headers.get('cache-control')).toBe('private, no-store');
  });

  it('is JSON for every failure', async () => {
    for (const path of ['/v1/orgs/nobody', '/v1/orgs/acme/releases?limit=0', '/v1/orgs/acme/nothing']) {
      const { status, headers, body } = await read(path, 'text/markdown');
      expect(status, path).toBeGreaterThanOrEqual(400);
      expect(headers.get('content-type'), path).toBe('application/json; charset=utf-8');
      expect(body.error.code, path).toBeDefined();
    }
  });
});

describe('Markdown', () => {
  it('of an org has its ten newest releases', async () => {
    const { text } = await read('/v1/orgs/acme', 'text/markdown');
    expect(frontMatterOf(text)).toMatchObject({ name: 'Acme', slug: 'acme', domain: 'acme.example', releases: 12 });
    expect(frontMatterOf(text)).toMatchObject({ url: `${webBaseUrl}/acme`, sources: 1, tags: [], aliases: [] });
    const headings = text.match(/^#+ .*$/gm);
    expect(headings?.slice(0, 5)).toEqual([
      '# Acme',
      '## Products',
      '## Sources',
      '## Recent releases',
      '### Stage 11 (11.0.0)',
    ]);
    expect(headings?.filter((heading) => heading.startsWith('###'))).toHaveLength(10);
  });

  it('of a feed leads to its next page', async () => {
    for (const [path, owner] of [
      ['/v1/orgs/acme.example/releases', { org: 'acme' }],
      ['/v1/collections/tools/releases', { collection: 'tools' }],
    ] as const) {
      const { text } = await read(`${path}?limit=7`, 'text/markdown');
      const { next_cursor: cursor, ...told } = frontMatterOf(text);
      expect(told).toEqual({ ...owner, returned: 7 });
      expect(text).toContain('\n## Stage 11 (11.0.0)\n\n2026-01-12 · Code · <');
      expect(text).toContain('\nText of 11.\n');
      const next = await read(`${path}?limit=7&cursor=${cursor}`, 'text/markdown');
      expect(frontMatterOf(next.text)).toEqual({ ...owner, returned: 5, next_cursor: null });
    }
  });

  it('of a release, a source and a product begins with what they are', async () => {
    const release = await read(`/v1/releases/${releaseId}`, 'text/markdown');
    expect(frontMatterOf(release.text)).toMatchObject({
      id: releaseId,
      version: '11.0.0',
      org: 'acme',
      source: 'code',
    });
    const code = await read('/v1/orgs/acme/sources/code', 'text/markdown');
    expect(frontMatterOf(code.text)).toMatchObject({ name: 'Code', org: 'acme', product: 'rocket', releases: 12 });
    expect(code.text.match(/^### /gm)).toHaveLength(12);
    const rocket = await read(`/v1/products/${product.id}`, 'text/markdown');
    expect(frontMatterOf(rocket.text)).toMatchObject({ name: 'Rocket', org: 'acme', kind: 'tool', releases: 12 });
    expect(rocket.text).toContain(`- [Code](${webBaseUrl}/acme/code) · scrape · 12 releases`);
  });

  it('never has a playbook', async () => {
    const playbook = { content: 'Only for those with a credential' };
    expect((await service.call('PUT', '/v1/orgs/acme/playbook', { body: playbook })).status).toBe(200);
    const { text } = await service.get('/v1/orgs/acme', { headers: { accept: 'text/markdown' }, key: rootApiKey });
    expect(text).not.toContain('Only for those');
  });

  it('is described beside the JSON', async () => {
    const { paths: described } = (await service.get('/v1/openapi.json')).body;
    for (const path of ['/v1/orgs/{slug}', '/v1/orgs/{slug}/releases', '/v1/releases/{id}']) {
      expect(Object.keys(described[path].get.responses[200].content)).toEqual(['application/json', 'text/markdown']);
    }
  });
});
