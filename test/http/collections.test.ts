import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestOrgWithSource, createTestSource, issueTestTokens } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';

let service: HttpService;
let writer: string;
let acme: { id: string; slug: string };
let beta: { id: string };
let rocket: { id: string };

beforeAll(async () => {
  service = await startHttpService();
  ({ writer } = await issueTestTokens(service));
  acme = await createTestOrg(service, 'Acme', { domain: 'acme.example', avatarUrl: 'https://acme.example/a.png' });
  beta = await createTestOrg(service, 'beta', { description: 'Second' });
  rocket = await service.create('/v1/products', { name: 'Rocket', orgId: acme.id, description: 'Flies' });
});
afterAll(() => service.close());

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const collect = (name: string, fields: object = {}) => service.create('/v1/collections', { name, ...fields });
const put = (slug: string, members: readonly object[], options = {}) =>
  service.call('PUT', `/v1/collections/${slug}/members`, { body: { members }, ...options });
const namesIn = ({ body }: HttpAnswer) => body.members.map(({ name }: { name: string }) => name);
const positionOf = ({ headers }: HttpAnswer) => Number(headers.get('x-service-position'));

const orgShown = {
  slug: 'acme',
  name: 'Acme',
  domain: 'acme.example',
  avatarUrl: 'https://acme.example/a.png',
  githubHandle: null,
};

describe('a collection', () => {
  it('is created and answered as a whole', async () => {
    const answer = await service.post('/v1/collections', { name: ' Build  tools ', description: 'Hammers' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^col_[0-9A-Za-z]{21}$/),
      slug: 'build-tools',
      name: 'Build tools',
      description: 'Hammers',
      isFeatured: false,
      memberCount: 0,
      members: [],
      orgs: [],
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: answer.body.createdAt,
    });
    expect(positionOf(answer)).toBeGreaterThan(0);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const read = await service.get('/v1/collections/build-tools');
    expect(read.body).toEqual(answer.body);
    expect(read.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=60');
    expect((await service.get(`/v1/collections/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('has a slug of its own among collections: a generated one gets a number, one asked for is refused', async () => {
    expect((await collect('Acme')).slug).toBe('acme');
    expect((await collect('ACME')).slug).toBe('acme-2');
    const taken = await service.post('/v1/collections', { name: 'x', slug: 'acme' });
    expect(codeOf(taken)).toEqual([409, 'conflict']);
    expect(taken.body.error.details).toEqual({ field: 'slug', value: 'acme' });
    expect(codeOf(await service.patch('/v1/collections/acme-2', { slug: 'acme' }))).toEqual([409, 'conflict']);
    expect((await collect('Admin', { slug: 'releases' })).slug).toBe('releases');
  });

  it('is changed, and nothing new is nothing written', async () => {
    const { createdAt } = await collect('Changing', { description: 'Old' });
    const changed = await service.patch(
      '/v1/collections/changing',
      { slug: 'changed', description: null, isFeatured: true },
      { key: writer },
    );
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { slug: 'changed', name: 'Changing', description: null, isFeatured: true, createdAt },
    ]);
    expect(Date.parse(changed.body.updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    expect(codeOf(await service.get('/v1/collections/changing'))).toEqual([404, 'not_found']);
    const head = await service.registry.eventStore.head();
    const again = await service.patch('/v1/collections/changed', { isFeatured: true });
    expect([again.status, again.body]).toEqual([200, changed.body]);
    expect(positionOf(again)).toBe(positionOf(changed));
    expect(await service.registry.eventStore.head()).toBe(head);
    expect(codeOf(await service.patch('/v1/collections/changed', {}))).toEqual([400, 'validation_failed']);
  });

  it('is deleted for good, and its slug is free', async () => {
    const { id } = await collect('Short lived');
    const deleted = await service.remove('/v1/collections/short-lived');
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(positionOf(deleted)).toBeGreaterThan(0);
    for (const name of ['short-lived', id]) {
      const gone = await service.get(`/v1/collections/${name}`);
      expect(codeOf(gone)).toEqual([404, 'not_found']);
      expect(gone.body.error.details).toEqual({ entity: 'collection' });
      expect(codeOf(await service.patch(`/v1/collections/${name}`, { name: 'x' }))).toEqual([404, 'not_found']);
      expect(codeOf(await service.remove(`/v1/collections/${name}`))).toEqual([404, 'not_found']);
    }
    expect((await collect('x', { slug: 'short-lived' })).id).not.toBe(id);
  });

  it('answers a repeat with the same key as the first time', async () => {
    const headers = { 'Idempotency-Key': 'collection-once' };
    const first = await service.post('/v1/collections', { name: 'Once' }, { headers });
    const second = await service.post('/v1/collections', { name: 'Once' }, { headers });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('members', () => {
  it('are replaced, in the order of position, name and slug', async () => {
    await collect('Ordered');
    const answer = await put('ordered', [{ productId: rocket.id }, { orgSlug: 'BETA' }, { orgId: 'acme.example' }]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      memberCount: 3,
      members: [
        { kind: 'org', ...orgShown, description: null },
        { kind: 'org', slug: 'beta', description: 'Second' },
        { kind: 'product', slug: 'rocket', name: 'Rocket', description: 'Flies', org: orgShown },
      ],
      orgs: [{ slug: 'acme' }, { slug: 'beta' }],
    });
    expect(answer.body.orgs[0]).toEqual({ ...orgShown, description: null });
    const placed = await put('ordered', [
      { orgId: acme.id, position: 2 },
      { productId: rocket.id, position: 0 },
      { orgId: beta.id, position: 2 },
    ]);
    expect(namesIn(placed)).toEqual(['Rocket', 'Acme', 'beta']);
    // One with a position comes before those that have none.
    expect(namesIn(await put('ordered', [{ orgId: acme.id }, { orgId: beta.id, position: 9 }]))).toEqual([
      'beta',
      'Acme',
    ]);
    const head = await service.registry.eventStore.head();
    const same = await put('ordered', [{ orgId: beta.id, position: 9 }, { orgId: acme.id }]);
    expect([same.status, await service.registry.eventStore.head()]).toEqual([200, head]);
    expect(namesIn(await put('ordered', []))).toEqual([]);
  });

  it('are added one by one, each once', async () => {
    await collect('Growing');
    const add = (member: object, headers = {}) =>
      service.post('/v1/collections/growing/members', member, { key: writer, headers });
    const key = { 'Idempotency-Key': 'member-once' };
    const first = await add({ orgSlug: 'beta' }, key);
    expect([first.status, namesIn(first)]).toEqual([201, ['beta']]);
    expect((await add({ orgSlug: 'beta' }, key)).text).toBe(first.text);
    const second = await add({ productId: rocket.id, position: 0 });
    expect([second.status, namesIn(second)]).toEqual([201, ['Rocket', 'beta']]);
    const twice = await add({ orgId: beta.id });
    expect(codeOf(twice)).toEqual([409, 'conflict']);
    expect(twice.body.error.details).toEqual({ field: 'member', value: beta.id });
    const joined = await Promise.all(Array.from({ length: 20 }, () => add({ orgId: acme.id })));
    expect(joined.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await service.get('/v1/collections/growing')).body.memberCount).toBe(3);
  });

  it('are taken out by any identifier of an org, or the id of a product', async () => {
    await collect('Shrinking');
    await put('shrinking', [{ orgId: acme.id }, { orgId: beta.id }, { productId: rocket.id }]);
    const remove = (id: string) => service.remove(`/v1/collections/shrinking/members/${id}`);
    for (const id of ['acme.example', beta.id, rocket.id]) expect((await remove(id)).status, id).toBe(204);
    expect((await service.get('/v1/collections/shrinking')).body).toMatchObject({ memberCount: 0, members: [] });
    const none = await remove('acme');
    expect(codeOf(none)).toEqual([404, 'not_found']);
    expect(none.body.error.details).toEqual({ entity: 'org' });
    expect((await remove('nobody')).body.error.details).toEqual({ entity: 'org' });
    expect((await remove('prod_nothing')).body.error.details).toEqual({ entity: 'product' });
  });

  it('that are hidden or deleted are not shown nor counted, and come back', async () => {
    const veiled = await createTestOrg(service, 'Veiled');
    const part = await service.create('/v1/products', { name: 'Part', orgId: veiled.id });
    await collect('Veils');
    await put('veils', [{ orgId: veiled.id }, { productId: part.id }, { orgId: beta.id }]);
    const shown = async () => namesIn(await service.get('/v1/collections/veils'));
    const listed = async () =>
      (await service.get('/v1/collections')).body.items.find(({ slug }: { slug: string }) => slug === 'veils');
    expect(await shown()).toEqual(['beta', 'Part', 'Veiled']);
    await service.patch(`/v1/products/${part.id}`, { isHidden: true });
    expect(await shown()).toEqual(['beta', 'Veiled']);
    await service.patch(`/v1/products/${part.id}`, { isHidden: false });
    await service.patch('/v1/orgs/veiled', { isHidden: true });
    expect(await shown()).toEqual(['beta']);
    expect(await listed()).toMatchObject({ memberCount: 1, previewMembers: [{ name: 'beta' }] });
    // Who may not see it may neither add it nor take it out.
    expect(codeOf(await put('veils', [{ orgId: veiled.id }], { key: writer }))).toEqual([404, 'not_found']);
    const taken = await service.remove('/v1/collections/veils/members/veiled', { key: writer });
    expect(codeOf(taken)).toEqual([404, 'not_found']);
    await service.patch('/v1/orgs/veiled', { isHidden: false });
    await service.remove('/v1/orgs/veiled');
    expect(await shown()).toEqual(['beta']);
    expect(codeOf(await put('veils', [{ orgId: veiled.id }]))).toEqual([404, 'not_found']);
    await service.post(`/v1/orgs/${veiled.id}/restore`, undefined);
    expect(await shown()).toEqual(['beta', 'Part', 'Veiled']);
  });

  it.each([
    ['two names of one member', [{ orgId: 'acme', orgSlug: 'acme' }], 400],
    ['none', [{ position: 1 }], 400],
    ['a slug as the id of a product', [{ productId: 'rocket' }], 400],
    ['a negative position', [{ orgId: 'acme', position: -1 }], 400],
    ['the same member twice', [{ orgId: 'acme' }, { orgSlug: 'acme.example' }], 400],
    ['more than 500', Array.from({ length: 501 }, () => ({ orgId: 'acme' })), 400],
    ['an org that is not there', [{ orgId: 'nobody' }], 404],
    ['a product that is not there', [{ productId: 'prod_000000000000000000000' }], 404],
  ])('are refused as a whole: %s', async (what, members, status) => {
    const { slug } = await collect(`Refusing ${what}`);
    const head = await service.registry.eventStore.head();
    const answer = await put(slug, members);
    expect([answer.status, await service.registry.eventStore.head()]).toEqual([status, head]);
    expect(codeOf(await put('nowhere', [{ orgId: 'acme' }]))).toEqual([404, 'not_found']);
  });
});

describe('the list of collections', () => {
  it('is by name, in pages, with at most three members and orgs of each', async () => {
    const many = await Promise.all(['D1', 'D2', 'D3'].map((name) => createTestOrg(service, name)));
    await collect('aardvark', { isFeatured: true });
    await put('aardvark', [{ productId: rocket.id, position: 0 }, ...many.map(({ id }) => ({ orgId: id }))]);
    const first = await service.get('/v1/collections?limit=1');
    const { items, pagination } = first.body;
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ slug: 'aardvark', description: null, memberCount: 4, isFeatured: true });
    const names = (shown: { name: string }[]) => shown.map(({ name }) => name);
    expect(names(items[0].previewMembers)).toEqual(['Rocket', 'D1', 'D2']);
    expect(names(items[0].previewOrgs)).toEqual(['D1', 'D2', 'D3']);
    expect(pagination).toMatchObject({ page: 1, pageSize: 1, returned: 1, hasMore: true });
    const all = await service.get('/v1/collections?limit=1000');
    expect(all.body.pagination).toMatchObject({ pageSize: 500, totalItems: pagination.totalItems });
    const sorted = names(all.body.items).map((name) => name.toLowerCase());
    expect(sorted).toEqual(sorted.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    const second = await service.get('/v1/collections?limit=1&page=2');
    expect(second.body.items).toEqual([all.body.items[1]]);
  });

  it('shows featured ones alone when asked', async () => {
    await collect('Plain');
    await collect('Zoo', { isFeatured: true });
    const { items, pagination } = (await service.get('/v1/collections?featured=true')).body;
    expect(items.every(({ isFeatured }: { isFeatured: boolean }) => isFeatured)).toBe(true);
    expect(items.at(-1).slug).toBe('zoo');
    expect(pagination.totalItems).toBe(items.length);
    await service.patch('/v1/collections/zoo', { isFeatured: false });
    const after = await service.get('/v1/collections?featured=1');
    expect(after.body.pagination.totalItems).toBe(pagination.totalItems - 1);
    const unfiltered = await service.get('/v1/collections?featured=false');
    expect(unfiltered.body).toEqual((await service.get('/v1/collections')).body);
  });
});

describe('the releases of a collection', () => {
  it('are those of its visible members, each once, newest first', async () => {
    const { org, source } = await createTestOrgWithSource(service, 'Feeding');
    const part = await service.create('/v1/products', { name: 'Part', orgId: org.id });
    const ofPart = await createTestSource(service, 'Parts', { orgId: org.id, productId: part.id });
    const { org: second, source: ofSecond } = await createTestOrgWithSource(service, 'Feeding-too');
    const dated = (title: string, day: number, fields = {}) => ({ title, publishedAt: `2026-01-0${day}`, ...fields });
    await ingestInto(service, source.id, [dated('One', 1), dated('Four', 4), { title: 'Undated' }]);
    await ingestInto(service, ofPart.id, [dated('Two', 2), dated('Beta', 5, { version: '1.0-beta' })]);
    await ingestInto(service, ofSecond.id, [dated('Three', 3)]);
    await collect('Feed');
    const feed = (search = '') => service.get(`/v1/collections/feed/releases${search}`);
    const titlesOf = ({ body }: HttpAnswer) => body.releases.map(({ title }: { title: string }) => title);
    expect((await feed()).body).toEqual({ releases: [], pagination: { nextCursor: null, limit: 20 } });
    await put('feed', [{ productId: part.id }, { orgId: second.id }]);
    expect(titlesOf(await feed())).toEqual(['Three', 'Two']);
    await put('feed', [{ productId: part.id }, { orgId: org.id }, { orgId: second.id }]);
    const all = await feed();
    expect(titlesOf(all)).toEqual(['Four', 'Three', 'Two', 'One', 'Undated']);
    expect(all.body.releases[0]).toMatchObject({ content: '', org: { slug: 'feeding' } });
    expect(all.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    expect(titlesOf(await feed('?include_prereleases=true&since=2026-01-03'))).toEqual(['Beta', 'Four', 'Three']);
    expect(titlesOf(await feed('?until=2026-01-02'))).toEqual(['Two', 'One']);
    const page = await feed('?limit=2');
    const { nextCursor } = page.body.pagination;
    expect(titlesOf(await feed(`?limit=2&cursor=${nextCursor}`))).toEqual(['Two', 'One']);
    expect(codeOf(await feed(`?since=1y&cursor=${nextCursor}`))).toEqual([400, 'invalid_cursor']);
    expect(codeOf(await feed('?since=2026-02-01&until=2026-01-01'))).toEqual([400, 'conflicting_parameters']);
    await service.patch('/v1/orgs/feeding', { isHidden: true });
    expect(titlesOf(await feed())).toEqual(['Three']);
    expect(codeOf(await service.get('/v1/collections/nowhere/releases'))).toEqual([404, 'not_found']);
  });
});
