import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';
import { issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let writer: string;
let reader: string;
let admin: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ reader, writer, admin } = await issueTestTokens(service));
});
afterAll(() => service.close());

describe('changing an org', () => {
  it('answers the detail with what was sent, clears with null, keeps the rest', async () => {
    await service.post('/v1/orgs', { name: 'Change me', domain: 'change.example', description: 'before', tags: ['x'] });
    const { status, body, headers } = await service.patch('/v1/orgs/change-me', {
      slug: 'changed',
      description: null,
      tags: ['new', 'also'],
      aliases: ['c2.example'],
      fetchPaused: true,
      overviewCadenceDays: 7,
      notice: { message: 'Moved', href: '/there', linkText: 'Look' },
      locations: [{ feed: 'https://change.example/feed.xml', title: 'Feed' }],
    });
    expect(status).toBe(200);
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    expect(body).toMatchObject({
      slug: 'changed',
      name: 'Change me',
      domain: 'change.example',
      description: null,
      tags: ['also', 'new'],
      aliases: ['c2.example'],
      fetchPaused: true,
      overviewCadenceDays: 7,
      notice: { message: 'Moved', href: '/there', linkText: 'Look' },
      locations: [
        {
          feed: 'https://change.example/feed.xml',
          title: 'Feed',
          canonical: false,
          basis: 'curator',
          productId: null,
          sourceId: null,
        },
      ],
    });
    expect((await service.get('/v1/orgs/change-me')).status).toBe(404);
    const { playbook, ...seen } = body;
    expect((await service.get('/v1/orgs/changed')).body).toEqual(seen);
    expect((await service.patch('/v1/orgs/c2.example', { notice: null })).body.notice).toBeNull();
  });

  it('that changes nothing is answered like any other', async () => {
    const { body } = await service.post('/v1/orgs', { name: 'Same' });
    const again = await service.patch('/v1/orgs/same', { name: 'Same' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(body);
    expect(Number(again.headers.get('x-service-position'))).toBeGreaterThan(0);
  });

  it.each([
    [{}, ''],
    [{ name: null }, 'name'],
    [{ overviewCadenceDays: 91 }, 'overviewCadenceDays'],
    [{ notice: { message: 'x', linkText: 'without a place to go' } }, 'notice.linkText'],
    [{ locations: [{ url: 'https://a.example', feed: 'https://b.example' }] }, 'locations[0]'],
    [{ status: 'stub' }, ''],
  ])('refuses %j and says where in the body', async (changes, path) => {
    await service.post('/v1/orgs', { name: 'Strict', slug: 'strict' });
    const { status, body } = await service.patch('/v1/orgs/strict', changes);
    expect(status).toBe(400);
    expect(body.error.code).toBe('validation_failed');
    expect(body.error.details.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('refuses a location that points into another org', async () => {
    const { body: other } = await service.post('/v1/orgs', { name: 'Far away' });
    const { body: product } = await service.post('/v1/products', { name: 'Far', orgId: other.id });
    await service.post('/v1/orgs', { name: 'Near' });
    const locations = [{ url: 'https://near.example', productId: product.id }];
    const { status, body } = await service.patch('/v1/orgs/near', { locations });
    expect(status).toBe(400);
    expect(body.error.details.issues[0].path).toBe('locations[0].productId');
    const unknown = [{ url: 'https://near.example', sourceId: 'src_000000000000000000000' }];
    const missing = await service.patch('/v1/orgs/near', { locations: unknown });
    expect(missing.status).toBe(404);
    expect(missing.body.error.details).toEqual({ entity: 'source' });
  });

  it('keeps the location of a source whose product is deleted, without the product', async () => {
    const { id: orgId } = await service.create('/v1/orgs', { name: 'Placed' });
    const { id: productId } = await service.create('/v1/products', { name: 'Passing', orgId });
    const { id: sourceId } = await service.create('/v1/sources', {
      name: 'S',
      url: 'https://p.example',
      orgId,
      productId,
    });
    const [ofSource, ofProduct] = ['https://p.example/source', 'https://p.example/product'];
    const locations = [
      { url: ofSource, productId, sourceId },
      { url: ofProduct, productId },
    ];
    await service.patch('/v1/orgs/placed', { locations });
    const shown = async () =>
      (await service.get('/v1/orgs/placed')).body.locations.map(
        (location: { url: string; productId: string | null }) => [location.url, location.productId],
      );
    const all = [
      [ofProduct, productId],
      [ofSource, productId],
    ];
    expect(await shown()).toEqual(all);
    await service.remove(`/v1/products/${productId}`);
    expect(await shown()).toEqual([[ofSource, null]]);
    await service.post(`/v1/products/${productId}/restore`, undefined, { key: admin });
    expect(await shown()).toEqual(all);
    await service.patch(`/v1/products/${productId}`, { isHidden: true });
    expect(await shown()).toEqual([]);
    await service.remove(`/v1/products/${productId}?hard=true`, { key: admin });
    expect(await shown()).toEqual([[ofSource, null]]);
  });

  it('lets nobody name by a location what is hidden from them, and keeps what was named before', async () => {
    const { id: orgId } = await service.create('/v1/orgs', { name: 'Whole' });
    const product = await service.create('/v1/products', { name: 'Veiled', orgId });
    const source = await service.create('/v1/sources', { name: 'Veiled', url: 'https://whole.example/log', orgId });
    const elsewhere = await service.create('/v1/orgs', { name: 'Elsewhere' });
    const far = await service.create('/v1/products', { name: 'Far', orgId: elsewhere.id });
    for (const path of [`products/${product.id}`, `sources/${source.id}`, 'orgs/elsewhere']) {
      expect((await service.patch(`/v1/${path}`, { isHidden: true })).status).toBe(200);
    }
    const own = { url: 'https://whole.example/own', productId: product.id, sourceId: source.id };
    const named = [{ productId: product.id }, { sourceId: source.id }, { productId: far.id }];
    for (const reference of named) {
      const [id] = Object.values(reference);
      const locations = [{ url: 'https://whole.example/new', ...reference }];
      const { status, body } = await service.patch('/v1/orgs/whole', { locations }, { key: writer });
      expect([status, body.error?.message]).toEqual([404, expect.stringContaining(id)]);
    }
    expect((await service.patch('/v1/orgs/whole', { locations: [own] }, { key: admin })).status).toBe(200);
    const kept = [{ ...own, title: 'Log' }];
    expect((await service.patch('/v1/orgs/whole', { locations: kept }, { key: writer })).status).toBe(200);
  });

  it('leaves hiding and featuring to admins; a hidden org is there for them alone', async () => {
    await service.post('/v1/orgs', { name: 'Curtain' });
    for (const changes of [{ isHidden: true }, { isHidden: false }, { featured: true }]) {
      const { status, body } = await service.patch('/v1/orgs/curtain', changes, { key: writer });
      expect(status).toBe(403);
      expect(body.error).toMatchObject({ code: 'forbidden', details: { option: Object.keys(changes)[0] } });
    }
    const hidden = await service.patch('/v1/orgs/curtain', { isHidden: true }, { key: admin });
    expect(hidden.body).toMatchObject({ slug: 'curtain', isHidden: true });
    expect((await service.get('/v1/orgs/curtain')).status).toBe(404);
    expect((await service.get('/v1/orgs/curtain', { key: writer })).status).toBe(404);
    expect((await service.patch('/v1/orgs/curtain', { name: 'X' }, { key: writer })).status).toBe(404);
    expect((await service.get('/v1/orgs/curtain', { key: admin })).status).toBe(200);
    expect((await service.patch('/v1/orgs/curtain', { isHidden: false })).body.isHidden).toBe(false);
    expect((await service.get('/v1/orgs/curtain')).status).toBe(200);
  });

  it('says 404 before 409, and 409 for a slug that is taken', async () => {
    await service.post('/v1/orgs', { name: 'Holder' });
    await service.post('/v1/orgs', { name: 'Wisher' });
    expect((await service.patch('/v1/orgs/nobody', { slug: 'holder' })).status).toBe(404);
    const taken = await service.patch('/v1/orgs/wisher', { slug: 'holder' });
    expect(taken.body.error).toMatchObject({ code: 'conflict', details: { field: 'slug', value: 'holder' } });
    expect((await service.patch('/v1/orgs/wisher', { slug: 'admin' })).body.error.code).toBe('slug_reserved');
  });
});

describe('deleting an org', () => {
  it('takes its products and sources with it, frees its names, and can be taken back by id', async () => {
    const { body: org } = await service.post('/v1/orgs', { name: 'Gone', domain: 'gone.example' });
    const { body: source } = await service.post('/v1/sources', {
      name: 'Blog',
      url: 'https://gone.example/blog',
      orgId: org.id,
    });
    await ingestInto(service, source.id, [{ title: 'First' }]);
    await service.post('/v1/products', { name: 'Thing', orgId: org.id });
    const deleted = await service.remove('/v1/orgs/gone', { key: writer });
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ deleted: true, deletedAt: expect.stringMatching(/\.\d{3}Z$/) });
    expect(Number(deleted.headers.get('x-service-position'))).toBeGreaterThan(0);
    expect((await service.get(`/v1/orgs/${org.id}`, { key: admin })).status).toBe(404);
    expect((await service.patch(`/v1/sources/${source.id}`, { name: 'X' })).body.error.details).toEqual({
      entity: 'source',
    });
    expect((await service.get('/v1/orgs?q=gone&includeEmpty=1')).body.items).toEqual([]);
    expect((await service.remove(`/v1/orgs/${org.id}`)).status).toBe(404);

    expect((await service.post('/v1/orgs/gone/restore', undefined)).status).toBe(404);
    expect((await service.post(`/v1/orgs/${org.id}/restore`, undefined, { key: writer })).body.error).toMatchObject({
      code: 'insufficient_scope',
      details: { required: 'admin' },
    });
    const restored = await service.post(`/v1/orgs/${org.id}/restore`, undefined, { key: admin });
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({ slug: 'gone', releaseCount: 1, sourceCount: 1 });
    expect(restored.body.products).toHaveLength(1);
    expect((await service.get('/v1/orgs/gone.example')).body.id).toBe(org.id);
    // What is there already is brought back without a word.
    expect((await service.post(`/v1/orgs/${org.id}/restore`, undefined)).status).toBe(200);
  });

  it('cannot be taken back when its slug or domain went to another', async () => {
    const { body: first } = await service.post('/v1/orgs', { name: 'Phoenix', domain: 'phoenix.example' });
    await service.remove('/v1/orgs/phoenix');
    const { body: second } = await service.post('/v1/orgs', { name: 'Phoenix' });
    expect(second.slug).toBe('phoenix');
    const { status, body } = await service.post(`/v1/orgs/${first.id}/restore`, undefined);
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'conflict', details: { field: 'slug', value: 'phoenix' } });
    await service.remove(`/v1/orgs/${second.id}`);
    await service.post('/v1/orgs', { name: 'Ash', domain: 'phoenix.example' });
    const again = await service.post(`/v1/orgs/${first.id}/restore`, undefined);
    expect(again.body.error.details).toMatchObject({ field: 'domain', value: 'phoenix.example' });
  });

  it('for good is for admins, by the id of the org, and cannot be taken back', async () => {
    const { body: org } = await service.post('/v1/orgs', { name: 'Stays' });
    const low = await service.remove(`/v1/orgs/${org.id}?hard=true`, { key: writer });
    expect(low.status).toBe(403);
    expect(low.body.error).toMatchObject({ code: 'forbidden', details: { option: 'hard' } });
    const bySlug = await service.remove('/v1/orgs/stays?hard=true', { key: admin });
    expect(bySlug.status).toBe(400);
    expect(bySlug.body.error).toMatchObject({ code: 'invalid_parameter', details: { parameter: 'hard' } });
    expect((await service.remove(`/v1/orgs/${org.id}?hard=maybe`)).status).toBe(400);
    expect((await service.get('/v1/orgs/stays')).status).toBe(200);
    expect((await service.remove('/v1/orgs/stays?hard=false')).body).toMatchObject({ deletedAt: expect.any(String) });
    // What is deleted is not found, also for whoever would delete it for good.
    expect((await service.remove(`/v1/orgs/${org.id}?hard=true`, { key: admin })).status).toBe(404);
    await service.post(`/v1/orgs/${org.id}/restore`, undefined);
    const gone = await service.remove(`/v1/orgs/${org.id}?hard=true`, { key: admin });
    expect(gone.body).toEqual({ deleted: true, hard: true });
    expect((await service.get('/v1/orgs/stays')).status).toBe(404);
    expect((await service.post(`/v1/orgs/${org.id}/restore`, undefined)).status).toBe(404);
    expect((await service.remove(`/v1/orgs/${org.id}?hard=true`, { key: admin })).status).toBe(404);
  });

  it('knows no org that never was', async () => {
    expect((await service.remove('/v1/orgs/never')).body.error.details).toEqual({ entity: 'org' });
    expect((await service.post('/v1/orgs/org_000000000000000000000/restore', undefined)).status).toBe(404);
    expect((await service.remove('/v1/orgs/never', { key: null })).status).toBe(401);
    expect((await service.remove('/v1/orgs/never', { key: reader })).status).toBe(403);
  });
});
