import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestOrgWithSource, createTestSource, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let admin: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ admin } = await issueTestTokens(service));
});
afterAll(() => service.close());

const codeOf = async (path: string, key?: string) => {
  const { status, body } = await service.get(path, key === undefined ? {} : { key });
  return [status, body.error?.code, body.error?.details?.entity ?? body.error?.details?.parameter];
};
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('parts of an org', () => {
  it('are pages of accounts and tags, and one account of a platform', async () => {
    await createTestOrg(service, 'Parted', { tags: ['Zed', 'alpha', 'beta'] });
    for (const [platform, handle] of [
      ['github', 'zed'],
      ['github', 'abe'],
      ['x', 'parted'],
    ]) {
      await service.create('/v1/orgs/parted/accounts', { platform, handle });
    }
    const { body: accounts } = await service.get('/v1/orgs/parted/accounts?limit=2');
    expect(accounts.items).toEqual([
      { platform: 'github', handle: 'abe' },
      { platform: 'github', handle: 'zed' },
    ]);
    expect(accounts.pagination).toMatchObject({ page: 1, pageSize: 2, totalItems: 3, hasMore: true });
    const accountOf = async (platform: string) =>
      (await service.get(`/v1/orgs/parted/accounts?platform=${platform}`)).body;
    expect(await accountOf('GitHub')).toEqual({ platform: 'github', handle: 'zed' });
    expect(await accountOf('mastodon')).toBeNull();
    expect(await accountOf('m'.repeat(2_000))).toBeNull();
    const { body: tags, headers } = await service.get('/v1/orgs/parted/tags');
    expect(headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=60');
    expect(tags.items).toEqual(['alpha', 'beta', 'Zed']);
    expect(await codeOf('/v1/orgs/nobody/accounts')).toEqual([404, 'not_found', 'org']);
    expect(await codeOf('/v1/orgs/nobody/tags')).toEqual([404, 'not_found', 'org']);
  });

  it('are its products, of a kind, without hidden ones', async () => {
    const org = await createTestOrg(service, 'Maker');
    const create = (name: string, fields: object = {}) =>
      service.create('/v1/products', { name, orgId: org.id, ...fields });
    const shown = await create('Beta', { kind: 'sdk', tags: ['b', 'A'] });
    await create('alpha', { kind: 'tool' });
    const hidden = await create('Hidden');
    await service.patch(`/v1/products/${hidden.id}`, { isHidden: true });
    await createTestSource(service, 'maker-sdk', { orgId: org.id, productId: shown.id });
    const namesOf = async (query: string, key?: string) => {
      const { body } = await service.get(`/v1/orgs/maker/products${query}`, key === undefined ? {} : { key });
      return body.items.map(({ name, sourceCount }: { name: string; sourceCount: number }) => [name, sourceCount]);
    };
    expect(await namesOf('')).toEqual([
      ['alpha', 0],
      ['Beta', 1],
    ]);
    expect(await namesOf('?kind=sdk')).toEqual([['Beta', 1]]);
    expect(await codeOf('/v1/orgs/maker/products?kind=nothing')).toEqual([400, 'invalid_parameter', 'kind']);
    const { body: detail } = await service.get('/v1/orgs/maker/products/beta');
    expect(detail).toMatchObject({ id: shown.id, sourceCount: 1, tags: ['A', 'b'] });
    expect((await service.get(`/v1/products/${shown.id}`)).body).toEqual(detail);
    const ofShown = await service.get(`/v1/products/${shown.id}/tags`);
    expect(ofShown.body).toEqual(['A', 'b']);
    expect(ofShown.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=60');
    expect(await codeOf('/v1/products/beta')).toEqual([400, 'bare_slug_rejected', 'product']);
    expect(await codeOf('/v1/products/beta/tags')).toEqual([400, 'bare_slug_rejected', 'product']);
    expect(await codeOf(`/v1/products/${hidden.id}`)).toEqual([404, 'not_found', 'product']);
    expect((await service.get(`/v1/products/${hidden.id}`, { key: admin })).status).toBe(200);
  });

  it('are the collections that it or a product of it is in', async () => {
    const org = await createTestOrg(service, 'Gathered');
    const product = await service.create('/v1/products', { name: 'Thing', orgId: org.id });
    for (const name of ['Works', 'Apps', 'Others']) await service.create('/v1/collections', { name });
    await service.create('/v1/collections/works/members', { orgId: org.id });
    await service.create('/v1/collections/works/members', { productId: product.id });
    await service.create('/v1/collections/apps/members', { productId: product.id });
    const slugsOf = async () =>
      (await service.get('/v1/orgs/gathered/collections')).body.map(({ slug }: { slug: string }) => slug);
    expect(await slugsOf()).toEqual(['apps', 'works']);
    await service.patch(`/v1/products/${product.id}`, { isHidden: true });
    expect(await slugsOf()).toEqual(['works']);
  });

  it('are what it is about, or null', async () => {
    const org = await createTestOrg(service, 'Told');
    const product = await service.create('/v1/products', { name: 'Tool', orgId: org.id });
    expect((await service.get('/v1/orgs/told/overview')).text).toBe('null');
    expect((await service.get(`/v1/products/${product.id}/overview`)).text).toBe('null');
    const overview = { content: 'Makes tools.', releaseCount: 3 };
    const { body: written } = await service.call('PUT', '/v1/orgs/told/overview', { body: overview });
    expect((await service.get('/v1/orgs/told/overview')).body).toEqual(written);
  });

  it('are named by slug, a product before a source', async () => {
    const { org, source } = await createTestOrgWithSource(service, 'Named');
    const resolve = async () => (await service.get('/v1/orgs/named/resolve/named')).body;
    expect(await resolve()).toMatchObject({ kind: 'source', source: { id: source.id } });
    const product = await service.create('/v1/products', { name: 'Named', orgId: org.id });
    expect(await resolve()).toMatchObject({ kind: 'product', product: { id: product.id } });
    expect(await codeOf('/v1/orgs/named/resolve/other')).toEqual([404, 'not_found', 'source']);
    expect(await codeOf('/v1/orgs/nobody/resolve/named')).toEqual([404, 'not_found', 'org']);
  });
});

describe('days with releases', () => {
  it('are counted by source and product, and over 52 weeks', async () => {
    const { org, source } = await createTestOrgWithSource(service, 'Daily');
    await createTestSource(service, 'Silent', { orgId: org.id });
    for (const [version, days] of [
      ['1.0.0', 0],
      ['0.9.0', 0],
      ['0.8.0', 40],
      ['0.1.0', 400],
    ] as const) {
      await service.create(`/v1/sources/${source.id}/releases`, {
        title: version,
        version,
        publishedAt: dayBefore(days),
      });
    }
    const { body: lines } = await service.get('/v1/orgs/daily/sparklines');
    expect(lines.aggregate.at(-1)).toBe(2);
    expect(lines.sources.map(({ name }: { name: string }) => name)).toEqual(['Daily', 'Silent']);
    const { body: heat } = await service.get('/v1/orgs/daily/heatmap');
    expect(heat.total).toBe(3);
    expect(heat.dailyCounts.map(({ count }: { count: number }) => count)).toEqual([1, 2]);
    expect(heat.range.to).toBe(heat.dailyCounts.at(-1).date);
    const { body: ofSource } = await service.get(`/v1/sources/${source.id}/heatmap`);
    expect(ofSource).toMatchObject({ source: { slug: 'daily', orgSlug: 'daily' }, total: 3 });
    expect((await service.get('/v1/orgs/daily/sources/daily/heatmap')).body).toEqual(ofSource);
  });
});

describe('releases of one source', () => {
  it('are listed on both paths, and after a moment with prereleases', async () => {
    const { source } = await createTestOrgWithSource(service, 'Feeding');
    for (const [version, publishedAt] of [
      ['1.0.0', '2026-03-01T00:00:00.000Z'],
      ['1.1.0-rc.1', '2026-03-01T08:00:00.000Z'],
      ['1.1.0', '2026-03-02T00:00:00.000Z'],
    ]) {
      await service.create(`/v1/sources/${source.id}/releases`, { title: version, version, publishedAt });
    }
    const versionsOf = async (path: string) =>
      (await service.get(path)).body.releases.map(({ version }: { version: string }) => version);
    const twins = (rest: string) => [`/v1/sources/${source.id}/${rest}`, `/v1/orgs/feeding/sources/feeding/${rest}`];
    for (const path of twins('releases')) {
      expect(await versionsOf(path)).toEqual(['1.1.0', '1.0.0']);
      expect(await versionsOf(`${path}?include_prereleases=true`)).toHaveLength(3);
    }
    for (const path of twins('recent-releases')) {
      expect(await versionsOf(`${path}?cutoff=2026-03-01`)).toEqual(['1.1.0', '1.1.0-rc.1', '1.0.0']);
      expect(await versionsOf(`${path}?cutoff=2026-03-01T00:00:00Z`)).toEqual(['1.1.0', '1.1.0-rc.1']);
      expect(await codeOf(path)).toEqual([400, 'missing_parameter', 'cutoff']);
      expect(await codeOf(`${path}?cutoff=`)).toEqual([400, 'missing_parameter', 'cutoff']);
      for (const wrong of ['7d', '2026-02-30', 'soon']) {
        expect(await codeOf(`${path}?cutoff=${wrong}`)).toEqual([400, 'invalid_parameter', 'cutoff']);
      }
    }
    const { body } = await service.get(`/v1/sources/${source.id}/recent-releases?cutoff=2026-03-01&limit=2`);
    expect(body).toMatchObject({ cutoff: '2026-02-28T23:59:59.999Z', pagination: { limit: 2 } });
    const next = `/v1/sources/${source.id}/recent-releases?cutoff=2026-03-01&limit=2&cursor=${body.pagination.nextCursor}`;
    expect(await versionsOf(next)).toEqual(['1.0.0']);
    const other = `/v1/sources/${source.id}/releases?cursor=${body.pagination.nextCursor}`;
    expect(await codeOf(other)).toEqual([400, 'invalid_cursor', undefined]);
    const { body: detail } = await service.get('/v1/orgs/feeding/sources/feeding?limit=1');
    expect(detail).toMatchObject({ id: source.id, releases: [{ version: '1.1.0' }], pagination: { limit: 1 } });
  });
});

describe('lookups', () => {
  it('find the org of a domain and products with it as an alias', async () => {
    const org = await createTestOrg(service, 'Owner', { domain: 'owner.example', aliases: ['alias.example'] });
    const product = await service.create('/v1/products', { name: 'P', orgId: org.id, aliases: ['shared.example'] });
    const lookup = async (domain: string) => (await service.get(`/v1/lookups/by-domain?domain=${domain}`)).body;
    expect(await lookup('https://www.Owner.example/about')).toMatchObject({
      domain: 'owner.example',
      org: { id: org.id, matchedVia: 'primary', status: 'tracked' },
      products: [],
    });
    expect((await lookup('alias.example')).org.matchedVia).toBe('alias');
    expect(await lookup('shared.example')).toMatchObject({
      org: null,
      products: [{ id: product.id, orgSlug: 'owner', orgName: 'Owner' }],
    });
    expect(await codeOf('/v1/lookups/by-domain')).toEqual([400, 'missing_parameter', 'domain']);
    for (const wrong of ['127.0.0.1', 'localhost', 'a..b']) {
      expect(await codeOf(`/v1/lookups/by-domain?domain=${wrong}`)).toEqual([400, 'invalid_parameter', 'domain']);
    }
    expect(await codeOf('/v1/lookups/by-domain?domain=nobody.example')).toEqual([404, 'not_found', 'org']);
    await service.create('/v1/orgs/stub', {
      name: 'Stubbed',
      domain: 'stub.example',
      locations: [{ url: 'https://stub.example/log' }],
    });
    expect((await lookup('stub.example')).org.locations).toHaveLength(1);
    await service.patch('/v1/orgs/owner', { isHidden: true });
    expect(await codeOf('/v1/lookups/by-domain?domain=owner.example')).toEqual([404, 'not_found', 'org']);
    expect((await codeOf('/v1/lookups/by-domain?domain=owner.example', admin))[0]).toBe(200);
  });

  it('find the home of a bare slug, and say when it is shared', async () => {
    const [one, two] = [await createTestOrg(service, 'Home One'), await createTestOrg(service, 'Home Two')];
    const source = await createTestSource(service, 'Lodger', { orgId: one.id });
    const product = await service.create('/v1/products', { name: 'Lodging', orgId: one.id });
    const home = { orgId: one.id, orgSlug: 'home-one' };
    expect((await service.get('/v1/lookups/source-by-slug?slug=lodger')).body).toEqual({
      sourceId: source.id,
      sourceSlug: 'lodger',
      ...home,
      path: '/v1/orgs/home-one/sources/lodger',
    });
    expect((await service.get('/v1/lookups/product-by-slug?slug=lodging')).body).toEqual({
      productId: product.id,
      productSlug: 'lodging',
      ...home,
      path: '/v1/orgs/home-one/products/lodging',
    });
    await createTestSource(service, 'Lodger', { orgId: two.id });
    await service.create('/v1/products', { name: 'Lodging', orgId: two.id });
    for (const entity of ['source', 'product']) {
      const slug = entity === 'source' ? 'lodger' : 'lodging';
      const { status, body } = await service.get(`/v1/lookups/${entity}-by-slug?slug=${slug}`);
      expect([status, body.error.code, body.error.details.entity]).toEqual([409, 'ambiguous_slug', entity]);
      expect(body.error.details.candidates.map(({ orgSlug }: { orgSlug: string }) => orgSlug)).toEqual([
        'home-one',
        'home-two',
      ]);
      expect(await codeOf(`/v1/lookups/${entity}-by-slug?slug=nobody`)).toEqual([404, 'not_found', entity]);
      expect(await codeOf(`/v1/lookups/${entity}-by-slug`)).toEqual([400, 'missing_parameter', 'slug']);
    }
    const alone = await createTestSource(service, 'Alone');
    const { body } = await service.get('/v1/lookups/source-by-slug?slug=alone');
    expect(body).toMatchObject({ orgId: null, orgSlug: null, path: `/v1/sources/${alone.id}` });
  });
});
