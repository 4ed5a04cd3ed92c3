import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';

let service: HttpService;
let acme: { id: string };
let rocket: { id: string };

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code, body.error.details?.entity];
const slow = 'public, max-age=300, stale-while-revalidate=60';
const titles = async (path: string) => {
  const { status, body, text } = await service.get(path);
  expect(status, text).toBe(200);
  return body.releases.map(({ title }: { title: string }) => title);
};
const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

beforeAll(async () => {
  service = await startHttpService();
  acme = await createTestOrg(service, 'Acme', { category: 'ai', domain: 'acme.example', tags: ['CLI', 'Web'] });
  await createTestOrg(service, 'beta', { category: 'ai', tags: ['cli'] });
  const plain = await createTestOrg(service, 'Plain');
  const shy = await createTestOrg(service, 'Shy', { category: 'ai', tags: ['cli'] });
  await service.patch(`/v1/orgs/${shy.id}`, { isHidden: true });
  rocket = await service.create('/v1/products', { name: 'Rocket', orgId: acme.id, category: 'devops', tags: ['cli'] });
  const anvil = await service.create('/v1/products', { name: 'Anvil', orgId: acme.id, description: 'Heavy' });
  const day = (number: number) => `2026-03-0${number}`;
  const release = async (name: string, fields: object, items: readonly Readonly<Record<string, unknown>>[]) =>
    ingestInto(service, (await createTestSource(service, name, fields)).id, items);
  await release('Org', { orgId: acme.id }, [{ title: 'Of the org', publishedAt: day(1) }]);
  await release('Rocket', { orgId: acme.id, productId: rocket.id }, [
    { title: 'Of the rocket', publishedAt: day(2) },
    { title: 'Early', publishedAt: day(3), prerelease: true },
    { title: 'Ahead', publishedAt: '2199-01-01' },
  ]);
  await release('Anvil', { orgId: acme.id, productId: anvil.id }, [{ title: 'Of the anvil', publishedAt: day(4) }]);
  await release('Plain', { orgId: plain.id }, [{ title: 'Of no category', publishedAt: day(5) }]);
  await release('Alone', {}, [{ title: 'Alone', publishedAt: day(6) }]);
});
afterAll(() => service.close());

describe('categories', () => {
  it('are all listed, in their order, with what everybody sees in them', async () => {
    const { body, headers } = await service.get('/v1/categories');
    expect(headers.get('cache-control')).toBe(slow);
    expect(namesOf(body.items)).toEqual([
      'AI',
      'Cloud',
      'Commerce',
      'CRM',
      'Database',
      'Design',
      'Developer Tools',
      'DevOps',
      'Finance',
      'Framework',
      'Infrastructure',
      'Observability',
      'Productivity',
      'Security',
    ]);
    expect(body.items[0]).toEqual({ slug: 'ai', name: 'AI', description: null, orgCount: 2, productCount: 0 });
    expect(body.items[7]).toEqual({ slug: 'devops', name: 'DevOps', description: null, orgCount: 0, productCount: 1 });
  });

  it('are shown with their orgs and products', async () => {
    const { body, headers } = await service.get('/v1/categories/ai');
    expect(headers.get('cache-control')).toBe(slow);
    expect(body).toEqual({
      slug: 'ai',
      name: 'AI',
      description: null,
      orgs: [
        { slug: 'acme', name: 'Acme', domain: 'acme.example', avatarUrl: null },
        { slug: 'beta', name: 'beta', domain: null, avatarUrl: null },
      ],
      products: [],
    });
    const { products } = (await service.get('/v1/categories/devops')).body;
    expect(products).toEqual([{ slug: 'rocket', name: 'Rocket', description: null, orgSlug: 'acme', orgName: 'Acme' }]);
  });

  it('have the releases of their products, else of their orgs', async () => {
    expect(await titles('/v1/categories/ai/releases')).toEqual(['Of the anvil', 'Of the org']);
    expect(await titles('/v1/categories/devops/releases')).toEqual(['Of the rocket']);
    expect(await titles('/v1/categories/devops/releases?include_prereleases=true')).toEqual(['Early', 'Of the rocket']);
    expect(await titles('/v1/categories/ai/releases?until=2026-03-02')).toEqual(['Of the org']);
    expect(await titles('/v1/categories/crm/releases')).toEqual([]);
    const { headers } = await service.get('/v1/categories/ai/releases');
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
  });

  it('are read page by page, with a cursor for no other category', async () => {
    const first = await service.get('/v1/categories/ai/releases?limit=1');
    const { nextCursor, limit } = first.body.pagination;
    expect([first.body.releases[0].content, limit]).toEqual(['', 1]);
    expect(await titles(`/v1/categories/ai/releases?limit=1&cursor=${nextCursor}`)).toEqual(['Of the org']);
    const other = await service.get(`/v1/categories/devops/releases?limit=1&cursor=${nextCursor}`);
    expect(codeOf(other).slice(0, 2)).toEqual([400, 'invalid_cursor']);
  });

  it('follow what becomes of products and orgs', async () => {
    await service.patch(`/v1/products/${rocket.id}`, { isHidden: true });
    expect(await titles('/v1/categories/devops/releases')).toEqual([]);
    expect(await titles('/v1/categories/ai/releases')).toEqual(['Of the anvil', 'Of the rocket', 'Of the org']);
    expect((await service.get('/v1/categories/devops')).body.products).toEqual([]);
    await service.patch(`/v1/products/${rocket.id}`, { isHidden: false, category: 'crm' });
    expect(await titles('/v1/categories/crm/releases')).toEqual(['Of the rocket']);
    await service.patch(`/v1/orgs/${acme.id}`, { category: 'cloud' });
    expect(await titles('/v1/categories/ai/releases')).toEqual([]);
    expect(await titles('/v1/categories/cloud/releases')).toEqual(['Of the anvil', 'Of the org']);
    await service.patch(`/v1/orgs/${acme.id}`, { isHidden: true });
    expect(await titles('/v1/categories/cloud/releases')).toEqual([]);
    expect((await service.get('/v1/categories/crm')).body.products).toEqual([]);
    await service.patch(`/v1/orgs/${acme.id}`, { isHidden: false, category: 'ai' });
    await service.patch(`/v1/products/${rocket.id}`, { category: 'devops' });
    expect(await titles('/v1/categories/devops/releases')).toEqual(['Of the rocket']);
  });

  it('are not found by another name', async () => {
    for (const slug of ['nothing', 'AI', 'a'.repeat(10_000), 'ai%20', '%00']) {
      for (const path of [`/v1/categories/${slug}`, `/v1/categories/${slug}/releases`]) {
        expect(codeOf(await service.get(path))).toEqual([404, 'not_found', 'category']);
      }
    }
  });

  it.each(['limit=0', 'limit=x', 'limit=1&limit=2', 'since=yesterday', 'include_coverage=maybe', 'until=%00'])(
    'refuse %s',
    async (search) => {
      const answer = await service.get(`/v1/categories/ai/releases?${search}`);
      expect(codeOf(answer).slice(0, 2)).toEqual([400, 'invalid_parameter']);
    },
  );
});

describe('a tag', () => {
  it('is shown with the orgs and products that have it, in any spelling', async () => {
    const { body, headers } = await service.get('/v1/tags/cli');
    expect(headers.get('cache-control')).toBe(slow);
    expect(body).toEqual({
      slug: 'cli',
      name: 'CLI',
      orgs: [
        { slug: 'acme', name: 'Acme', domain: 'acme.example', avatarUrl: null },
        { slug: 'beta', name: 'beta', domain: null, avatarUrl: null },
      ],
      products: [{ slug: 'rocket', name: 'Rocket', description: null, orgSlug: 'acme', orgName: 'Acme' }],
    });
  });

  it('that somebody made has its slug and name, whoever has it', async () => {
    await service.create('/v1/tags', { name: 'C++' });
    await service.create('/v1/tags', { name: 'C' });
    const sharp = await service.create('/v1/tags', { name: 'C#' });
    expect(sharp.slug).toBe('c-3');
    await createTestOrg(service, 'Compiler', { tags: ['c', 'c++'] });
    await createTestOrg(service, 'Runtime', { tags: ['c#'] });
    const shown = async (slug: string) => {
      const { name, orgs } = (await service.get(`/v1/tags/${slug}`)).body;
      return [name, ...namesOf(orgs)];
    };
    expect(await shown('c')).toEqual(['C++', 'Compiler']);
    expect(await shown('c-2')).toEqual(['C', 'Compiler']);
    expect(await shown('c-3')).toEqual(['C#', 'Runtime']);
  });

  it('is found as soon as it is made, and is empty then', async () => {
    const made = await service.post('/v1/tags', { name: 'Brand new' });
    const headers = { 'x-service-min-position': made.headers.get('x-service-position')! };
    const { body } = await service.get('/v1/tags/brand-new', { headers });
    expect(body).toEqual({ slug: 'brand-new', name: 'Brand new', orgs: [], products: [] });
  });

  it('of what is hidden or deleted is not found', async () => {
    const org = await createTestOrg(service, 'Fading', { tags: ['Rare'] });
    expect(namesOf((await service.get('/v1/tags/rare')).body.orgs)).toEqual(['Fading']);
    await service.patch(`/v1/orgs/${org.id}`, { isHidden: true });
    expect(codeOf(await service.get('/v1/tags/rare'))).toEqual([404, 'not_found', 'tag']);
    await service.patch(`/v1/orgs/${org.id}`, { isHidden: false });
    await service.remove(`/v1/orgs/${org.id}`);
    expect(codeOf(await service.get('/v1/tags/rare'))).toEqual([404, 'not_found', 'tag']);
  });

  it('is not found by another name', async () => {
    for (const slug of ['nothing', 'CLI', 'a'.repeat(10_000), '%00', '++']) {
      expect(codeOf(await service.get(`/v1/tags/${slug}`))).toEqual([404, 'not_found', 'tag']);
    }
  });
});
