import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';
import { createTestOrg, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let writer: string;
let admin: string;
let org: { id: string };

beforeAll(async () => {
  service = await startHttpService();
  ({ writer, admin } = await issueTestTokens(service));
  org = await createTestOrg(service, 'Acme', { domain: 'acme.example' });
  await createTestOrg(service, 'Other');
});
afterAll(() => service.close());

const issuePaths = (answer: { body: { error: { details: { issues: { path: string }[] } } } }) =>
  answer.body.error.details.issues.map(({ path }) => path);

describe('creating a product', () => {
  it('answers 201 with the whole detail', async () => {
    const { status, headers, body } = await service.post('/v1/products', {
      name: 'Big Rocket',
      orgId: org.id,
      url: 'http://acme.example/rocket',
      description: 'Flies',
      category: 'ai',
      kind: 'sdk',
      avatarUrl: 'https://acme.example/r.png',
      tags: ['z', 'a'],
      aliases: ['Rocket.example'],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^prod_[0-9A-Za-z]{21}$/),
      name: 'Big Rocket',
      slug: 'big-rocket',
      orgId: org.id,
      url: 'http://acme.example/rocket',
      description: 'Flies',
      category: 'ai',
      kind: 'sdk',
      avatarUrl: 'https://acme.example/r.png',
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      sourceCount: 0,
      embeddedAt: null,
      deletedAt: null,
      sources: [],
      tags: ['a', 'z'],
      aliases: ['rocket.example'],
      notice: null,
      releases: [],
      pagination: { nextCursor: null, limit: 20 },
    });
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await service.get('/v1/orgs/acme')).body.products).toMatchObject([{ id: body.id, slug: 'big-rocket' }]);
  });

  it('takes any identifier of the org in either field, one of them', async () => {
    const named = async (fields: object) => service.post('/v1/products', { name: 'Named', ...fields });
    for (const fields of [{ orgSlug: 'acme' }, { orgId: 'acme' }, { orgSlug: org.id }, { orgSlug: 'ACME.example' }]) {
      expect((await named(fields)).body.orgId, JSON.stringify(fields)).toBe(org.id);
    }
    const both = await named({ orgId: org.id, orgSlug: 'acme' });
    expect(both.status).toBe(400);
    expect(both.body.error.code).toBe('validation_failed');
    expect(issuePaths(both)).toEqual(['orgSlug']);
    expect(issuePaths(await named({}))).toEqual(['orgId']);
    const unknown = await named({ orgSlug: 'nobody' });
    expect(unknown.status).toBe(404);
    expect(unknown.body.error.details).toEqual({ entity: 'org' });
  });

  it('keeps slugs apart within the org only, and refuses reserved ones', async () => {
    const create = async (orgSlug: string, fields: object) =>
      (await service.post('/v1/products', { name: 'Same', orgSlug, ...fields })).body;
    expect((await create('acme', {})).slug).toBe('same');
    expect((await create('acme', {})).slug).toBe('same-2');
    expect((await create('other', { slug: 'same' })).slug).toBe('same');
    expect((await create('acme', { slug: 'same' })).error).toMatchObject({
      code: 'conflict',
      details: { field: 'slug', value: 'same' },
    });
    expect((await create('acme', { slug: 'releases' })).error.code).toBe('slug_reserved');
  });

  it('warns when its slug shadows a source of the org, and only then', async () => {
    await service.post('/v1/sources', { name: 'Shadow', url: 'https://acme.example/shadow', orgSlug: 'acme' });
    const shadowing = await service.post('/v1/products', { name: 'Shadow', orgSlug: 'acme' });
    expect(shadowing.status).toBe(201);
    expect(shadowing.body.warning).toContain('shadow');
    const elsewhere = await service.post('/v1/products', { name: 'Shadow', orgSlug: 'other' });
    expect(elsewhere.body).not.toHaveProperty('warning');
  });

  it.each([
    ['no name', { orgSlug: 'acme' }, 'name'],
    ['an unknown kind', { name: 'Ok', orgSlug: 'acme', kind: 'car' }, 'kind'],
    ['an address of another scheme', { name: 'Ok', orgSlug: 'acme', url: 'ftp://acme.example' }, 'url'],
    ['a hidden start', { name: 'Ok', orgSlug: 'acme', isHidden: true }, ''],
    ['an org that is no text', { name: 'Ok', orgId: 7 }, 'orgId'],
  ])('refuses %s', async (_, fields, path) => {
    const answer = await service.post('/v1/products', fields);
    expect(answer.status).toBe(400);
    expect(issuePaths(answer)).toContain(path);
  });

  it('answers a repeat with the same key as the first time', async () => {
    const headers = { 'Idempotency-Key': 'product-once' };
    const first = await service.post('/v1/products', { name: 'Once', orgSlug: 'acme' }, { headers });
    const second = await service.post('/v1/products', { name: 'Once', orgSlug: 'acme' }, { headers });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it('in a hidden org is for admins only', async () => {
    await service.post('/v1/orgs', { name: 'Veiled' });
    await service.patch('/v1/orgs/veiled', { isHidden: true });
    const low = await service.post('/v1/products', { name: 'In', orgSlug: 'veiled' }, { key: writer });
    expect(low.status).toBe(404);
    expect((await service.post('/v1/products', { name: 'In', orgSlug: 'veiled' }, { key: admin })).status).toBe(201);
  });
});

describe('changing a product', () => {
  it('works at both addresses', async () => {
    const { body: product } = await service.post('/v1/products', {
      name: 'Change',
      orgSlug: 'acme',
      url: 'https://a.example',
    });
    const byId = await service.patch(`/v1/products/${product.id}`, { url: null, tags: ['t'], kind: 'docs' });
    expect(byId.status).toBe(200);
    expect(byId.body).toMatchObject({ id: product.id, url: null, tags: ['t'], kind: 'docs', name: 'Change' });
    const below = await service.patch('/v1/orgs/acme.example/products/change', { notice: { message: 'Hello' } });
    expect(below.body).toMatchObject({ id: product.id, tags: ['t'], notice: { message: 'Hello' } });
    const mixed = await service.patch(`/v1/orgs/acme/products/${product.id}`, { name: 'Changed' });
    expect(mixed.body).toMatchObject({ name: 'Changed', slug: 'change' });
  });

  it('refuses a bare slug, a slug in the body, and a product of another org', async () => {
    const { body: product } = await service.post('/v1/products', { name: 'Fixed', orgSlug: 'acme' });
    const bare = await service.patch('/v1/products/fixed', { name: 'X' });
    expect(bare.status).toBe(400);
    expect(bare.body.error).toMatchObject({ code: 'bare_slug_rejected', details: { entity: 'product' } });
    expect((await service.remove('/v1/products/fixed')).body.error.code).toBe('bare_slug_rejected');
    const slug = await service.patch(`/v1/products/${product.id}`, { slug: 'other' });
    expect(slug.status).toBe(400);
    expect(slug.body.error.code).toBe('validation_failed');
    expect((await service.patch(`/v1/products/${product.id}`, {})).body.error.code).toBe('validation_failed');
    const elsewhere = await service.patch(`/v1/orgs/other/products/${product.id}`, { name: 'X' });
    expect(elsewhere.body.error.details).toEqual({ entity: 'product' });
    expect((await service.patch('/v1/orgs/nobody/products/fixed', { name: 'X' })).body.error.details).toEqual({
      entity: 'org',
    });
    expect((await service.patch('/v1/products/prod_000000000000000000000', { name: 'X' })).status).toBe(404);
  });

  it('leaves hiding to admins, who get the hidden detail', async () => {
    const { body: product } = await service.post('/v1/products', { name: 'Hideable', orgSlug: 'acme' });
    const path = `/v1/products/${product.id}`;
    const low = await service.patch(path, { isHidden: true }, { key: writer });
    expect(low.status).toBe(403);
    expect(low.body.error).toMatchObject({ code: 'forbidden', details: { option: 'isHidden' } });
    expect((await service.patch(path, { isHidden: true }, { key: admin })).body.id).toBe(product.id);
    expect((await service.patch(path, { name: 'X' }, { key: writer })).status).toBe(404);
    const { body } = await service.get('/v1/orgs/acme');
    expect(body.products.map(({ id }: { id: string }) => id)).not.toContain(product.id);
    expect((await service.patch(path, { isHidden: false })).status).toBe(200);
    expect((await service.patch(path, { name: 'X' }, { key: writer })).status).toBe(200);
  });
});

describe('deleting a product', () => {
  it('leaves its sources without it, and can be taken back', async () => {
    const { body: product } = await service.post('/v1/products', { name: 'Gone', orgSlug: 'acme' });
    const { body: source } = await service.post('/v1/sources', {
      name: 'Gone news',
      url: 'https://acme.example/gone',
      orgSlug: 'acme',
      productId: product.id,
    });
    await ingestInto(service, source.id, [{ title: 'News', publishedAt: '2026-01-01' }]);
    const deleted = await service.remove('/v1/orgs/acme/products/gone', { key: writer });
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ deleted: true, deletedAt: expect.stringMatching(/\.\d{3}Z$/) });
    expect((await service.remove(`/v1/products/${product.id}`)).status).toBe(404);
    expect((await service.patch(`/v1/sources/${source.id}`, { name: 'Still here' })).body).toMatchObject({
      productId: null,
      productSlug: null,
      releaseCount: 1,
    });

    const restore = `/v1/products/${product.id}/restore`;
    expect((await service.post(restore, undefined, { key: writer })).body.error.code).toBe('insufficient_scope');
    const restored = await service.post(restore, undefined, { key: admin });
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({ slug: 'gone', deletedAt: null, sourceCount: 1 });
    expect(restored.body.sources).toEqual([
      {
        id: source.id,
        slug: 'gone-news',
        name: 'Still here',
        type: 'scrape',
        url: 'https://acme.example/gone',
        metadata: null,
        kind: null,
      },
    ]);
    expect(restored.body.releases).toMatchObject([{ title: 'News', content: '', productId: product.id }]);
  });

  it('cannot be taken back when its slug was given away, by slug, or without its org', async () => {
    const { body: first } = await service.post('/v1/products', { name: 'Phoenix', orgSlug: 'acme' });
    await service.remove(`/v1/products/${first.id}`);
    await service.post('/v1/products', { name: 'Phoenix', orgSlug: 'acme' });
    const taken = await service.post(`/v1/products/${first.id}/restore`, undefined);
    expect(taken.body.error).toMatchObject({ code: 'conflict', details: { field: 'slug', value: 'phoenix' } });
    expect((await service.post('/v1/products/phoenix/restore', undefined)).body.error.code).toBe('bare_slug_rejected');
    expect((await service.post('/v1/products/prod_1/restore', undefined)).status).toBe(404);
    const { body: orphan } = await service.post('/v1/orgs', { name: 'Orphanage' });
    const { body: child } = await service.post('/v1/products', { name: 'Child', orgId: orphan.id });
    await service.remove(`/v1/products/${child.id}`);
    await service.remove(`/v1/orgs/${orphan.id}`);
    expect((await service.post(`/v1/products/${child.id}/restore`, undefined)).status).toBe(404);
  });

  it('for good is for admins, and cannot be taken back', async () => {
    const { body: product } = await service.post('/v1/products', { name: 'Stays', orgSlug: 'acme' });
    const path = `/v1/products/${product.id}?hard=1`;
    expect((await service.remove(path, { key: writer })).body.error.details).toEqual({ option: 'hard' });
    expect((await service.patch(`/v1/products/${product.id}`, { name: 'Stays' })).status).toBe(200);
    expect((await service.remove(path)).body).toEqual({ deleted: true, hard: true });
    expect((await service.get(`/v1/orgs/acme/products/${product.slug}`)).status).toBe(404);
    expect((await service.post(`/v1/products/${product.id}/restore`, undefined)).status).toBe(404);
  });
});
