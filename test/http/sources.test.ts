import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let writer: string;
let admin: string;
let org: { id: string };
let product: { id: string };
let foreignProduct: { id: string };

beforeAll(async () => {
  service = await startHttpService();
  ({ writer, admin } = await issueTestTokens(service));
  org = await createTestOrg(service, 'Acme', { domain: 'acme.example' });
  await createTestOrg(service, 'Other');
  product = await service.create('/v1/products', { name: 'Rocket', orgSlug: 'acme' });
  foreignProduct = await service.create('/v1/products', { name: 'Foreign', orgSlug: 'other' });
});
afterAll(() => service.close());

let number = 0;
const create = (fields: object, options = {}) => {
  number += 1;
  return service.post(
    '/v1/sources',
    { name: `Source ${number}`, url: `https://s.example/${number}`, ...fields },
    options,
  );
};
const issuePaths = (answer: { body: { error: { details: { issues: { path: string }[] } } } }) =>
  answer.body.error.details.issues.map(({ path }) => path);

describe('creating a source', () => {
  it('answers 201 with the whole detail', async () => {
    const { status, headers, body } = await service.post('/v1/sources', {
      name: 'Code',
      url: 'https://github.com/acme/rocket',
      orgSlug: 'acme',
      productSlug: 'rocket',
      kind: 'sdk',
      isPrimary: true,
      discovery: 'agent',
      metadata: { changelogUrl: 'https://acme.example/log', internal: 1 },
      packages: [{ ecosystem: 'npm', name: 'Rocket' }],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^src_[0-9A-Za-z]{21}$/),
      slug: 'code',
      name: 'Code',
      type: 'github',
      url: 'https://github.com/acme/rocket',
      orgId: org.id,
      productId: product.id,
      productSlug: 'rocket',
      kind: 'sdk',
      isHidden: false,
      discovery: 'agent',
      isPrimary: true,
      metadata: JSON.stringify({ changelogUrl: 'https://acme.example/log', internal: 1 }),
      packages: [{ ecosystem: 'npm', name: 'rocket' }],
      changelogUrl: 'https://acme.example/log',
      hasChangelogFile: false,
      org: { id: org.id, slug: 'acme', name: 'Acme' },
      releaseCount: 0,
      releasesLast30Days: 0,
      avgReleasesPerWeek: 0,
      latestVersion: null,
      latestDate: null,
      trackingSince: expect.stringMatching(/\.\d{3}Z$/),
      lastFetchedAt: null,
      lastPolledAt: null,
      changeDetectedAt: null,
      stars: null,
      starsFetchedAt: null,
      releases: [],
      pagination: { nextCursor: null, limit: 20 },
      summaries: { rolling: null, monthly: [] },
    });
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
  });

  it('tells the type by the address and the metadata', async () => {
    const typeOf = async (url: string, fields = {}) => (await create({ url, ...fields })).body.type;
    expect(await typeOf('https://github.com/acme/other')).toBe('github');
    expect(await typeOf('https://acme.example/x', { metadata: { feedUrl: 'https://acme.example/feed' } })).toBe('feed');
    expect(await typeOf('https://apps.apple.com/app/id1')).toBe('appstore');
    expect(await typeOf('https://www.youtube.com/@acme')).toBe('video');
    expect(await typeOf('https://acme.example/changes')).toBe('scrape');
    expect(await typeOf('https://github.com/acme/third', { type: 'agent' })).toBe('agent');
  });

  it('shows private metadata to admins only', async () => {
    const metadata = { internal: 1, feedType: 'atom' };
    expect((await create({ metadata }, { key: writer })).body.metadata).toBe('{"feedType":"atom"}');
    expect((await create({ metadata: { internal: 1 } }, { key: writer })).body.metadata).toBe('{}');
    expect(JSON.parse((await create({ metadata }, { key: admin })).body.metadata)).toEqual(metadata);
  });

  it('stands alone without an org; then its slug is unique among its like', async () => {
    const alone = await service.post('/v1/sources', { name: 'Alone', url: 'https://alone.example' });
    expect(alone.body).toMatchObject({ orgId: null, org: null, slug: 'alone' });
    expect((await create({ name: 'Alone' })).body.slug).toBe('alone-2');
    expect((await create({ name: 'Alone', orgSlug: 'acme' })).body.slug).toBe('alone');
    expect((await create({ slug: 'alone', orgId: null })).body.error).toMatchObject({
      code: 'conflict',
      details: { field: 'slug', value: 'alone' },
    });
    expect((await create({ slug: 'changelog' })).body.error.code).toBe('slug_reserved');
  });

  it('takes any identifier of org and product in either field, one of each', async () => {
    for (const orgSlug of [org.id, 'acme', 'Acme.Example']) {
      for (const productId of [product.id, 'rocket']) {
        const { body } = await create({ orgSlug, productId });
        expect(body).toMatchObject({ orgId: org.id, productId: product.id });
      }
    }
    expect(issuePaths(await create({ orgId: org.id, orgSlug: 'acme' }))).toEqual(['orgSlug']);
    expect(issuePaths(await create({ orgId: org.id, productId: product.id, productSlug: 'rocket' }))).toEqual([
      'productSlug',
    ]);
  });

  it('needs an org and a product that are there and belong together', async () => {
    const entityOf = async (fields: object) => {
      const { status, body } = await create(fields);
      expect(status).toBe(404);
      return body.error.details.entity;
    };
    expect(await entityOf({ orgSlug: 'nobody' })).toBe('org');
    expect(await entityOf({ orgSlug: 'nobody', productSlug: 'nothing' })).toBe('org');
    expect(await entityOf({ orgSlug: 'acme', productSlug: 'nothing' })).toBe('product');
    expect(await entityOf({ orgSlug: 'acme', productSlug: 'foreign' })).toBe('product');
    expect(await entityOf({ orgSlug: 'acme', productId: 'prod_000000000000000000000' })).toBe('product');
    expect(await entityOf({ orgSlug: 'acme', productId: foreignProduct.id })).toBe('product');
    for (const [fields, path] of [
      [{ productSlug: foreignProduct.id }, 'productSlug'],
      [{ productSlug: 'rocket' }, 'productSlug'],
    ] as const) {
      const answer = await create(fields);
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('validation_failed');
      expect(issuePaths(answer)).toEqual([path]);
    }
  });

  it('refuses a package that another source has', async () => {
    await create({ packages: [{ ecosystem: 'pypi', name: 'Snake_Case' }] });
    const { status, body } = await create({ packages: [{ ecosystem: 'pypi', name: 'snake.case' }] });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'conflict', details: { field: 'package' } });
  });

  it.each([
    ['no address', { url: undefined }, 'url'],
    ['an address of another scheme', { url: 'ftp://s.example' }, 'url'],
    ['an unknown type', { type: 'radio' }, 'type'],
    ['an unknown ecosystem', { packages: [{ ecosystem: 'cargo', name: 'x' }] }, 'packages[0].ecosystem'],
    ['a metadata address that is none', { metadata: { feedUrl: 'nowhere' } }, 'metadata.feedUrl'],
    ['metadata that are no object', { metadata: [] }, 'metadata'],
    ['an unknown key', { stars: 5 }, ''],
  ])('refuses %s', async (_, fields, path) => {
    const answer = await create(fields);
    expect(answer.status).toBe(400);
    expect(issuePaths(answer)).toContain(path);
  });

  it('that starts hidden is for admins, who get its detail', async () => {
    const low = await create({ isHidden: false }, { key: writer });
    expect(low.status).toBe(403);
    expect(low.body.error).toMatchObject({ code: 'forbidden', details: { option: 'isHidden' } });
    const { status, body } = await create({ isHidden: true }, { key: admin });
    expect(status).toBe(201);
    expect(body.isHidden).toBe(true);
    expect((await service.patch(`/v1/sources/${body.id}`, { name: 'X' }, { key: writer })).status).toBe(404);
  });
});

describe('changing a source', () => {
  it('works by id, by a slug of its own, and below its org', async () => {
    const { body: source } = await create({ name: 'Change me', orgSlug: 'acme', productSlug: 'rocket' });
    const byId = await service.patch(`/v1/sources/${source.id}`, { name: 'Changed', kind: 'docs' });
    expect(byId.status).toBe(200);
    expect(byId.body).toMatchObject({ id: source.id, name: 'Changed', kind: 'docs', slug: 'change-me' });
    expect((await service.patch('/v1/sources/change-me', { slug: 'renamed' })).body.slug).toBe('renamed');
    const below = await service.patch('/v1/orgs/acme/sources/renamed', { productId: null, kind: null });
    expect(below.body).toMatchObject({ id: source.id, productId: null, productSlug: null, kind: null });
    const again = await service.patch(`/v1/orgs/acme/sources/${source.id}`, { productSlug: 'rocket' });
    expect(again.body.productId).toBe(product.id);
    expect((await service.patch(`/v1/sources/${source.id}`, { productSlug: null })).body.productId).toBeNull();
  });

  it('merges metadata, where null deletes a key', async () => {
    const { body: source } = await create({ metadata: { a: 1, b: 2 } });
    const { body } = await service.patch(`/v1/sources/${source.id}`, { metadata: { b: null, c: { d: [3] } } });
    expect(JSON.parse(body.metadata)).toEqual({ a: 1, c: { d: [3] } });
    const big = 'x'.repeat(60_000);
    await service.patch(`/v1/sources/${source.id}`, { metadata: { big } });
    const tooBig = await service.patch(`/v1/sources/${source.id}`, { metadata: { more: 'x'.repeat(10_000) } });
    expect(tooBig.status).toBe(400);
    expect(issuePaths(tooBig)).toEqual(['metadata']);
  });

  it('that makes it the primary source takes that from its siblings', async () => {
    const { body: first } = await create({ orgSlug: 'other', isPrimary: true });
    const { body: second } = await create({ orgSlug: 'other' });
    expect((await service.patch(`/v1/sources/${second.id}`, { isPrimary: true })).body.isPrimary).toBe(true);
    const { body } = await service.get('/v1/orgs/other');
    const primary = body.sources.filter(({ isPrimary }: { isPrimary: boolean }) => isPrimary);
    expect(primary.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    const taken = await service.patch(`/v1/sources/${first.id}`, { isPrimary: true });
    expect(taken.body.isPrimary).toBe(true);
    const again = await service.patch(`/v1/sources/${first.id}`, { isPrimary: true });
    expect(again.headers.get('x-service-position')).toBe(taken.headers.get('x-service-position'));
    expect((await service.patch(`/v1/sources/${first.id}`, { isPrimary: false })).body.isPrimary).toBe(false);
    expect(
      (await service.get('/v1/orgs/other')).body.sources.some((source: { isPrimary: boolean }) => source.isPrimary),
    ).toBe(false);
  });

  it('that makes it the primary source after its product was deleted takes that from those without a product', async () => {
    const { id: orgId } = await createTestOrg(service, 'Primaries');
    const { id: productId } = await service.create('/v1/products', { name: 'Lost', orgId });
    const { body: inProduct } = await create({ orgId, productId });
    const { body: sibling } = await create({ orgId, productId, isPrimary: true });
    const { body: without } = await create({ orgId, isPrimary: true });
    const primaries = async () => {
      const { body } = await service.get(`/v1/orgs/${orgId}`);
      return body.sources.flatMap(({ id, isPrimary }: { id: string; isPrimary: boolean }) => (isPrimary ? [id] : []));
    };
    await service.remove(`/v1/products/${productId}`);
    expect(await primaries()).toEqual([without.id]);
    const taken = await service.patch(`/v1/sources/${inProduct.id}`, { isPrimary: true });
    expect(taken.body).toMatchObject({ isPrimary: true, productId: null });
    expect(await primaries()).toEqual([inProduct.id]);
    const again = await service.patch(`/v1/sources/${inProduct.id}`, { isPrimary: true });
    expect(again.headers.get('x-service-position')).toBe(taken.headers.get('x-service-position'));
    // In its product it never asked to be: there it is what it was.
    await service.post(`/v1/products/${productId}/restore`, undefined, { key: admin });
    expect(await primaries()).toEqual([sibling.id]);
    await service.remove(`/v1/products/${productId}?hard=true`, { key: admin });
    expect(await primaries()).toEqual([inProduct.id]);
  });

  it('by a slug that several have names them all', async () => {
    const { body: standing } = await create({ slug: 'shared' });
    const { body: inAcme } = await create({ slug: 'shared', orgSlug: 'acme', name: 'Shared' });
    const { status, body } = await service.patch('/v1/sources/shared', { name: 'X' });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      code: 'ambiguous_slug',
      details: {
        entity: 'source',
        slug: 'shared',
        candidates: [
          { id: standing.id, orgId: null, orgSlug: null, path: `/v1/sources/${standing.id}` },
          { id: inAcme.id, name: 'Shared', orgId: org.id, orgSlug: 'acme', path: '/v1/orgs/acme/sources/shared' },
        ],
      },
    });
    expect((await service.remove('/v1/sources/shared')).body.error.code).toBe('ambiguous_slug');
    expect((await service.patch('/v1/orgs/acme/sources/shared', { name: 'Fine' })).body.id).toBe(inAcme.id);
    await service.remove(`/v1/sources/${inAcme.id}`);
    expect((await service.patch('/v1/sources/shared', { name: 'Alone again' })).body.id).toBe(standing.id);
  });

  it('refuses another org, nothing, a taken slug, and what is not there', async () => {
    const { body: source } = await create({ orgSlug: 'acme', slug: 'strict' });
    const path = `/v1/sources/${source.id}`;
    expect(issuePaths(await service.patch(path, {}))).toEqual(['']);
    expect(issuePaths(await service.patch(path, { orgSlug: 'other', name: 'X' }))).toEqual(['']);
    expect(issuePaths(await service.patch(path, { productId: 'rocket', productSlug: 'rocket' }))).toEqual([
      'productSlug',
    ]);
    for (const fields of [{ productId: foreignProduct.id }, { productSlug: 'nothing' }]) {
      expect((await service.patch(path, fields)).body.error.details).toEqual({ entity: 'product' });
    }
    await create({ orgSlug: 'acme', slug: 'holder' });
    expect((await service.patch(path, { slug: 'holder' })).body.error.code).toBe('conflict');
    expect((await service.patch('/v1/sources/nothing', { name: 'X' })).body.error.details).toEqual({
      entity: 'source',
    });
    expect((await service.patch('/v1/orgs/other/sources/strict', { name: 'X' })).status).toBe(404);
    expect((await service.patch(path, { name: 'X' }, { key: null })).status).toBe(401);
  });

  it('leaves hiding to admins', async () => {
    const { body: source } = await create({ orgSlug: 'acme' });
    const path = `/v1/sources/${source.id}`;
    expect((await service.patch(path, { isHidden: true }, { key: writer })).body.error.details).toEqual({
      option: 'isHidden',
    });
    expect((await service.patch(path, { isHidden: true })).body.isHidden).toBe(true);
    const { body } = await service.get('/v1/orgs/acme');
    expect(body.sources.map(({ id }: { id: string }) => id)).not.toContain(source.id);
  });
});

describe('deleting a source', () => {
  it('can be taken back by id while its names are free', async () => {
    const packages = [{ ecosystem: 'npm', name: 'phoenix' }];
    const { body: source } = await create({ orgSlug: 'acme', slug: 'phoenix', packages });
    const deleted = await service.remove('/v1/orgs/acme/sources/phoenix', { key: writer });
    expect(deleted.body).toEqual({ deleted: true, deletedAt: expect.stringMatching(/\.\d{3}Z$/) });
    expect((await service.remove(`/v1/sources/${source.id}`)).status).toBe(404);
    const restore = `/v1/sources/${source.id}/restore`;
    expect((await service.post(restore, undefined, { key: writer })).body.error.code).toBe('insufficient_scope');
    expect((await service.post('/v1/sources/phoenix/restore', undefined)).status).toBe(404);
    expect((await service.post(restore, undefined, { key: admin })).body).toMatchObject({ slug: 'phoenix', packages });
    await service.remove(`/v1/sources/${source.id}`);
    await create({ packages });
    expect((await service.post(restore, undefined)).body.error).toMatchObject({
      code: 'conflict',
      details: { field: 'package' },
    });
  });

  it('for good is for admins, and cannot be taken back', async () => {
    const { body: source } = await create({});
    const path = `/v1/sources/${source.id}?hard=true`;
    expect((await service.remove(path, { key: writer })).body.error.details).toEqual({ option: 'hard' });
    expect((await service.patch(`/v1/sources/${source.id}`, { name: 'Here' })).status).toBe(200);
    expect((await service.remove(path)).body).toEqual({ deleted: true, hard: true });
    expect((await service.get(`/v1/sources/${source.id}`)).status).toBe(404);
    expect((await service.post(`/v1/sources/${source.id}/restore`, undefined)).status).toBe(404);
  });
});
