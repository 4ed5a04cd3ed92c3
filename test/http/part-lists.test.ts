import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource, issueTestTokens } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';

let service: HttpService;
let reader: string;
let writer: string;
let admin: string;
let acme: { id: string };
let rocket: { id: string };
let code: { id: string };

beforeAll(async () => {
  service = await startHttpService();
  ({ reader, writer, admin } = await issueTestTokens(service));
  acme = await createTestOrg(service, 'Acme', { category: 'ai', domain: 'acme.example', aliases: ['acme.test'] });
  await createTestOrg(service, 'Zeta');
  const product = (name: string, fields: object) => service.create('/v1/products', { name, ...fields });
  rocket = await product('Rocket', { orgSlug: 'acme', kind: 'sdk', category: 'crm' });
  await product('anvil', { orgSlug: 'acme', kind: 'tool' });
  await product('Rocket', { orgSlug: 'zeta', kind: 'sdk' });
  const tied = { orgSlug: 'acme', productSlug: 'rocket' };
  code = await createTestSource(service, 'Code', { ...tied, url: 'https://github.com/acme/Rocket', kind: 'sdk' });
  await createTestSource(service, 'blog', { orgSlug: 'acme', url: 'https://acme.example/blog', type: 'scrape' });
  await createTestSource(service, 'Tied', { orgSlug: 'zeta', productSlug: 'rocket', type: 'agent' });
  await createTestSource(service, 'Alone', { metadata: { feedUrl: 'https://alone.example/feed', internal: 1 } });
  await ingestInto(service, code.id, [
    { title: 'One', version: '1.0.0', publishedAt: '2026-03-01' },
    { title: 'Two', version: '1.1.0-rc.1', publishedAt: '2026-03-02' },
  ]);
  await createTestOrg(service, 'Veiled');
  await product('Secret', { orgSlug: 'veiled' });
  await createTestSource(service, 'Secret', { orgSlug: 'veiled' });
  await service.patch('/v1/orgs/veiled', { isHidden: true });
  const gone = await createTestSource(service, 'Gone', { orgSlug: 'acme' });
  await service.remove(`/v1/sources/${gone.id}`);
});
afterAll(() => service.close());

const namesOf = async (path: string, key?: string): Promise<string[]> => {
  const { body } = await service.get(`/v1${path}`, key === undefined ? {} : { key });
  return (body.items ?? body).map(({ name }: { name: string }) => name);
};
const codeOf = async (path: string, key?: string) => {
  const { status, body } = await service.get(`/v1${path}`, key === undefined ? {} : { key });
  return [status, body.error?.code, body.error?.details?.parameter ?? body.error?.details?.option];
};
const fresh = 'public, max-age=60, stale-while-revalidate=30';

describe('the list of products', () => {
  it('shows them by name in any case, with the count of their sources', async () => {
    const { body, headers } = await service.get('/v1/products');
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['anvil', 'Rocket', 'Rocket']);
    expect(body.pagination).toEqual({
      page: 1,
      pageSize: 500,
      returned: 3,
      totalItems: 3,
      totalPages: 1,
      hasMore: false,
    });
    expect(body.items.find(({ id }: { id: string }) => id === rocket.id)).toEqual({
      id: rocket.id,
      name: 'Rocket',
      slug: 'rocket',
      orgId: acme.id,
      url: null,
      description: null,
      category: 'crm',
      kind: 'sdk',
      avatarUrl: null,
      createdAt: expect.any(String),
      sourceCount: 1,
    });
    expect(headers.get('cache-control')).toBe(fresh);
  });

  it('is narrowed by any identifier of an org and by the own kind', async () => {
    for (const orgId of [acme.id, 'acme', 'acme.example', 'ACME.test']) {
      expect(await namesOf(`/products?orgId=${orgId}`), orgId).toEqual(['anvil', 'Rocket']);
    }
    expect(await namesOf('/products?kind=sdk')).toEqual(['Rocket', 'Rocket']);
    expect(await namesOf('/products?kind=sdk&orgId=zeta')).toEqual(['Rocket']);
    for (const orgId of ['nobody', 'veiled', 'org_000000000000000000000', 'x'.repeat(9_000)]) {
      expect(await namesOf(`/products?orgId=${orgId}`)).toEqual([]);
    }
    expect(await namesOf('/products?page=2&limit=2')).toEqual(['Rocket']);
    expect(await namesOf('/products?page=9&limit=2')).toEqual([]);
  });

  it('shows what is hidden to admins who ask for it', async () => {
    expect(await namesOf('/products?include_hidden=true', admin)).toContain('Secret');
    expect(await namesOf('/orgs/veiled/products?include_hidden=true', admin)).toEqual(['Secret']);
    expect((await service.get('/v1/orgs/veiled/products?include_hidden=true')).status).toBe(403);
    expect(await namesOf('/products?include_hidden=true&orgId=veiled', admin)).toEqual(['Secret']);
    expect(await namesOf('/products', admin)).not.toContain('Secret');
    expect(await namesOf('/products?orgId=veiled', admin)).toEqual([]);
  });
});

describe('the list of sources', () => {
  it('shows them by name in any case, each with its whole record', async () => {
    const { body, headers } = await service.get('/v1/sources');
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['Alone', 'blog', 'Code', 'Tied']);
    expect(body.pagination).toMatchObject({ totalItems: 4, totalPages: 1, returned: 4, pageSize: 500 });
    const { body: org } = await service.get('/v1/orgs/acme');
    const listed = body.items.find(({ id }: { id: string }) => id === code.id);
    expect(listed).toEqual(org.sources.find(({ id }: { id: string }) => id === code.id));
    expect(listed).toMatchObject({
      orgName: 'Acme',
      productSlug: 'rocket',
      latestVersion: '1.0.0',
      latestDate: '2026-03-01T00:00:00.000Z',
      releaseCount: 2,
    });
    expect(headers.get('cache-control')).toBe(fresh);
  });

  it.each([
    ['independent=true', ['Alone']],
    ['independent=false', ['Alone', 'blog', 'Code', 'Tied']],
    ['hasFeed=1', ['Alone']],
    ['has_feed=true', ['Alone']],
    ['hasFeed=false', ['Alone', 'blog', 'Code', 'Tied']],
    ['orgSlug=acme', ['blog', 'Code']],
    ['orgSlug=ACME.example', ['blog', 'Code']],
    ['orgSlug=nobody', []],
    ['orgSlug=veiled', []],
    ['productSlug=rocket', ['Code', 'Tied']],
    ['productSlug=rocket&orgSlug=zeta', ['Tied']],
    ['productSlug=nothing', []],
    ['query=ACME', ['blog', 'Code']],
    ['query=rocket', ['Code']],
    ['query=BLO', ['blog']],
    ['query=e', ['Alone', 'blog', 'Code', 'Tied']],
    ['query=blog%0Ablog', []],
    [`query=${'x'.repeat(9_000)}`, []],
    ['category=ai', ['blog']],
    ['category=crm', ['Code']],
    ['type=github', ['Code']],
    ['type=scrape&query=blog', ['blog']],
    ['kind=sdk', ['Code']],
    ['kind=tool', []],
    ['slug=code&envelope=true', ['Code']],
    ['slug=CODE&envelope=true', []],
    ['orgSlug=acme&slug=code&type=github&kind=sdk&category=crm&query=git', ['Code']],
    ['orgSlug=acme&independent=true', []],
    ['limit=2&page=2', ['Code', 'Tied']],
    ['limit=3&page=2', ['Tied']],
    ['limit=2&page=7', []],
    ['limit=100000&colour=red&query=&type=', ['Alone', 'blog', 'Code', 'Tied']],
  ])('is narrowed by %s', async (query, names) => {
    expect(await namesOf(`/sources?${query}`)).toEqual(names);
  });

  it('takes a product by its id, and the id of an org as it is only', async () => {
    expect(await namesOf(`/sources?productSlug=${rocket.id}`)).toEqual(['Code']);
    expect(await namesOf(`/sources?orgId=${acme.id}&envelope=1`)).toEqual(['blog', 'Code']);
    expect(await namesOf('/sources?orgId=acme&envelope=1')).toEqual([]);
    expect(await namesOf(`/sources?orgId=${acme.id}&orgSlug=zeta`)).toEqual([]);
    expect(await namesOf(`/sources?orgId=${acme.id}&orgSlug=acme`)).toEqual(['blog', 'Code']);
  });

  it('has no envelope by slug or org id, unless it is asked for', async () => {
    for (const query of ['slug=code', `orgId=${acme.id}`, `orgId=${acme.id}&envelope=false`]) {
      const { body } = await service.get(`/v1/sources?${query}`);
      expect(Array.isArray(body), query).toBe(true);
      const { body: enveloped } = await service.get(
        `/v1/sources?${query}&envelope=true`.replace('&envelope=false', ''),
      );
      expect(enveloped.items).toEqual(body);
    }
    expect((await service.get('/v1/sources?orgSlug=acme&envelope=false')).body.pagination.totalItems).toBe(2);
    expect((await service.get('/v1/sources?slug=')).body.pagination.totalItems).toBe(4);
  });

  it('shows what is hidden, and private metadata, to admins only', async () => {
    expect(await namesOf('/sources?include_hidden=true', admin)).toEqual(['Alone', 'blog', 'Code', 'Secret', 'Tied']);
    expect(await namesOf('/sources?include_hidden=true&orgSlug=veiled', admin)).toEqual(['Secret']);
    expect(await namesOf('/sources', admin)).not.toContain('Secret');
    expect(await namesOf('/sources?include_hidden=false')).toHaveLength(4);
    const metadataOf = async (key?: string) => {
      const { body } = await service.get('/v1/sources?slug=alone', key === undefined ? {} : { key });
      return JSON.parse(body[0].metadata);
    };
    expect(await metadataOf()).toEqual({ feedUrl: 'https://alone.example/feed' });
    expect(await metadataOf(admin)).toEqual({ feedUrl: 'https://alone.example/feed', internal: 1 });
  });

  it('follows what its parents are', async () => {
    const org = await createTestOrg(service, 'Changing', { category: 'design' });
    await createTestSource(service, 'Changing', { orgId: org.id });
    expect(await namesOf('/sources?category=design')).toEqual(['Changing']);
    await service.patch('/v1/orgs/changing', { category: 'finance' });
    expect(await namesOf('/sources?category=design')).toEqual([]);
    expect(await namesOf('/sources?category=finance')).toEqual(['Changing']);
    await service.patch('/v1/orgs/changing', { isHidden: true });
    expect(await namesOf('/sources?category=finance')).toEqual([]);
    await service.patch('/v1/orgs/changing', { isHidden: false });
    await service.remove('/v1/orgs/changing');
    expect(await namesOf('/sources?include_hidden=true&category=finance', admin)).toEqual([]);
    await service.post(`/v1/orgs/${org.id}/restore`, undefined);
    expect(await namesOf('/sources?query=changing')).toEqual(['Changing']);
    await service.remove('/v1/orgs/changing');
  });
});

describe('the lists refuse', () => {
  it.each(['/products', '/sources'])('what is hidden to anybody but admins: %s', async (path) => {
    for (const key of [undefined, reader, writer]) {
      expect(await codeOf(`${path}?include_hidden=true`, key)).toEqual([403, 'forbidden', 'include_hidden']);
    }
  });

  const wrong: readonly (readonly [string, string, readonly string[]])[] = [
    ['/products', 'kind', ['SDK', 'car']],
    ['/products', 'page', ['0', '-1', 'one', '1.5']],
    ['/products', 'limit', ['0', 'x'.repeat(9_000)]],
    ['/products', 'include_hidden', ['yes']],
    ['/products', 'orgId', ['a%00b']],
    ['/sources', 'kind', ['Sdk']],
    ['/sources', 'type', ['rss', 'GITHUB']],
    ['/sources', 'category', ['cooking']],
    ['/sources', 'independent', ['maybe']],
    ['/sources', 'hasFeed', ['2']],
    ['/sources', 'has_feed', ['no']],
    ['/sources', 'envelope', ['x']],
    ['/sources', 'page', ['0', '1e3']],
    ['/sources', 'limit', ['0', '-5']],
    ['/sources', 'query', ['a%00b']],
    ['/sources', 'orgSlug', ['%00']],
  ];

  it.each(wrong)('%s: a wrong or repeated %s', async (path, name, values) => {
    for (const value of [...values, `1&${name}=1`]) {
      expect(await codeOf(`${path}?${name}=${value}`), value).toEqual([400, 'invalid_parameter', name]);
    }
  });

  it('an unknown kind, and tells which there are', async () => {
    for (const path of ['/v1/products?kind=car', '/v1/sources?kind=car']) {
      const { body } = await service.get(path);
      expect(body.error.details.allowed).toContain('sdk');
    }
  });
});
