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

describe('creating an org', () => {
  it('answers 201 with the whole detail, its position and no cache', async () => {
    const { status, headers, body } = await service.post('/v1/orgs', {
      name: 'Köln Werke',
      domain: 'https://Werke.example/about',
      description: 'Makes things',
      category: 'devops',
      avatarUrl: 'https://werke.example/logo.png',
      tags: ['b', 'a', 'a'],
      aliases: ['zz.werke.example', 'aa.werke.example'],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^org_[0-9A-Za-z]{21}$/),
      slug: 'koln-werke',
      name: 'Köln Werke',
      domain: 'werke.example',
      description: 'Makes things',
      category: 'devops',
      avatarUrl: 'https://werke.example/logo.png',
      isHidden: false,
      autoGenerateContent: true,
      featured: false,
      fetchPaused: false,
      overviewCadenceDays: null,
      discovery: 'curated',
      status: 'tracked',
      tags: ['a', 'b'],
      aliases: ['aa.werke.example', 'zz.werke.example'],
      accounts: [],
      sourceCount: 0,
      releaseCount: 0,
      releasesLast30Days: 0,
      avgReleasesPerWeek: 0,
      lastFetchedAt: null,
      lastPolledAt: null,
      trackingSince: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      locations: [],
      products: [],
      sources: [],
      overview: null,
      notice: null,
      playbook: null,
    });
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('takes the next free slug of a name, and refuses an explicit one that is taken or reserved', async () => {
    expect((await service.post('/v1/orgs', { name: 'Twin' })).body.slug).toBe('twin');
    expect((await service.post('/v1/orgs', { name: 'Twin' })).body.slug).toBe('twin-2');
    const taken = await service.post('/v1/orgs', { name: 'Other', slug: 'twin' });
    expect(taken.status).toBe(409);
    expect(taken.body.error).toMatchObject({ code: 'conflict', details: { field: 'slug', value: 'twin' } });
    const reserved = await service.post('/v1/orgs', { name: 'Other', slug: 'search' });
    expect(reserved.status).toBe(409);
    expect(reserved.body.error).toMatchObject({ code: 'slug_reserved', details: { slug: 'search' } });
    expect((await service.post('/v1/orgs', { name: 'Search' })).body.slug).toBe('search-2');
  });

  it('refuses a domain or alias that another org has', async () => {
    await service.post('/v1/orgs', { name: 'Owner', domain: 'owner.example', aliases: ['alias.example'] });
    const domain = await service.post('/v1/orgs', { name: 'Thief', domain: 'OWNER.example' });
    expect(domain.body.error).toMatchObject({ code: 'conflict', details: { field: 'domain', value: 'owner.example' } });
    const alias = await service.post('/v1/orgs', { name: 'Thief', aliases: ['alias.example'] });
    expect(alias.body.error).toMatchObject({ code: 'conflict', details: { field: 'alias', value: 'alias.example' } });
    expect((await service.get('/v1/orgs/thief')).status).toBe(404);
  });

  it.each([
    ['nothing', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(121) }, 'name'],
    ['a name without letters', { name: '***' }, 'name'],
    ['what is no slug', { name: 'Ok', slug: 'Not A Slug' }, 'slug'],
    ['an endless slug', { name: 'Ok', slug: 'a'.repeat(10_000) }, 'slug'],
    ['an unknown category', { name: 'Ok', category: 'cooking' }, 'category'],
    ['an avatar in the clear', { name: 'Ok', avatarUrl: 'http://plain.example/a.png' }, 'avatarUrl'],
    ['a long description', { name: 'Ok', description: 'x'.repeat(2001) }, 'description'],
    ['an empty tag', { name: 'Ok', tags: ['fine', ''] }, 'tags[1]'],
    ['many aliases', { name: 'Ok', aliases: Array.from({ length: 21 }, (_, n) => `a${n}.example`) }, 'aliases'],
    ['an unknown key', { name: 'Ok', unknown: 1 }, ''],
    ['a NUL character', { name: 'Ok\u0000' }, 'name'],
  ])('refuses %s and says where', async (_, fields, path) => {
    const { status, body } = await service.post('/v1/orgs', fields);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'validation_failed', type: 'validation' });
    expect(body.error.details.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('needs write scope', async () => {
    expect((await service.post('/v1/orgs', { name: 'No' }, { key: null })).body.error.code).toBe('unauthorized');
    expect((await service.post('/v1/orgs', { name: 'No' }, { key: 'nonsense' })).body.error.code).toBe('invalid_token');
    const low = await service.post('/v1/orgs', { name: 'No' }, { key: reader });
    expect(low.status).toBe(403);
    expect(low.body.error).toMatchObject({
      code: 'insufficient_scope',
      details: { required: 'write', granted: ['read'] },
    });
    expect((await service.post('/v1/orgs', { name: 'By writer' }, { key: writer })).status).toBe(201);
    const featured = await service.post('/v1/orgs', { name: 'By writer too', featured: true }, { key: writer });
    expect([featured.status, featured.body.error.code]).toEqual([403, 'forbidden']);
    expect((await service.post('/v1/orgs', { name: 'By admin', featured: true }, { key: admin })).body.featured).toBe(
      true,
    );
  });

  it('answers a repeat with the same key as the first time', async () => {
    const headers = { 'Idempotency-Key': 'create-once-1' };
    const first = await service.post('/v1/orgs', { name: 'Once' }, { headers });
    const second = await service.post('/v1/orgs', { name: 'Once' }, { headers });
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('x-service-position')).toBe(first.headers.get('x-service-position'));
    expect((await service.get('/v1/orgs/once-2')).status).toBe(404);
  });
});

describe('an org', () => {
  it('is found by slug, id, domain and alias in any case', async () => {
    const { body } = await service.post('/v1/orgs', {
      name: 'Found',
      domain: 'found.example',
      aliases: ['fnd.example'],
    });
    for (const name of ['found', 'FOUND', body.id, 'found.example', 'Found.Example', 'FND.example']) {
      expect((await service.get(`/v1/orgs/${name}`)).body?.id, name).toBe(body.id);
    }
    for (const name of ['lost', 'lost.example', 'org_000000000000000000000', body.id.toLowerCase()]) {
      const { status, body: answer } = await service.get(`/v1/orgs/${name}`);
      expect(status, name).toBe(404);
      expect(answer.error).toMatchObject({ code: 'not_found', details: { entity: 'org' } });
    }
  });

  it('has a playbook key for callers with a credential only, who opt out of every cache', async () => {
    await service.post('/v1/orgs', { name: 'Private' });
    const anonymous = await service.get('/v1/orgs/private');
    expect(anonymous.body).not.toHaveProperty('playbook');
    expect(anonymous.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    expect(anonymous.headers.get('cdn-cache-control')).toBeNull();
    expect(anonymous.headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    const known = await service.get('/v1/orgs/private', { key: reader });
    expect(known.body.playbook).toBeNull();
    expect(known.headers.get('cache-control')).toBe('private, no-store');
    expect(known.headers.get('cdn-cache-control')).toBe('no-store');
    const invalid = await service.get('/v1/orgs/private', { key: 'nonsense' });
    expect(invalid.status).toBe(200);
    expect(invalid.body).not.toHaveProperty('playbook');
  });

  it('shows its products, sources, locations and numbers', async () => {
    const { body: org } = await service.post('/v1/orgs', { name: 'Numbers' });
    const { body: product } = await service.post('/v1/products', { name: 'Rocket', orgId: org.id, kind: 'tool' });
    const { body: source } = await service.post('/v1/sources', {
      name: 'Code',
      url: 'https://github.com/numbers/rocket',
      orgSlug: 'numbers',
      productSlug: 'rocket',
      isPrimary: true,
    });
    const dayMs = 86_400_000;
    const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
    const oldest = ago(56);
    await ingestInto(service, source.id, [
      { title: 'Old', version: '1.0.0', publishedAt: oldest },
      { title: 'New', version: '1.1.0', publishedAt: ago(10) },
      { title: 'Next', version: '2.0.0-beta.1', publishedAt: ago(5) },
      { title: 'Undated', version: '0.1.0' },
      { title: 'Later', version: '3.0.0', publishedAt: ago(-5) },
    ]);
    const { body } = await service.get('/v1/orgs/numbers');
    expect(body).toMatchObject({ sourceCount: 1, releaseCount: 4, releasesLast30Days: 2 });
    expect(body.trackingSince).toBe(oldest);
    expect(body.avgReleasesPerWeek).toBe(0.4); // 3 in 8 weeks
    expect(body.products).toEqual([
      {
        id: product.id,
        slug: 'rocket',
        name: 'Rocket',
        url: null,
        description: null,
        kind: 'tool',
        createdAt: product.createdAt,
        sourceCount: 1,
        releaseCount: 4,
      },
    ]);
    expect(body.sources).toHaveLength(1);
    expect(body.sources[0]).toMatchObject({
      id: source.id,
      type: 'github',
      orgSlug: 'numbers',
      orgName: 'Numbers',
      productSlug: 'rocket',
      isPrimary: true,
      releaseCount: 4,
      latestVersion: '1.1.0',
      metadata: null,
      consecutiveErrors: 0,
    });
    expect(body.locations).toEqual([
      {
        github: 'numbers/rocket',
        title: 'Code',
        canonical: true,
        basis: 'generated',
        productId: product.id,
        sourceId: source.id,
      },
    ]);
  });
});
