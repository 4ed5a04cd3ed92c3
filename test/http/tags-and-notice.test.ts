import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tagReads } from '../../queries/tag-detail.ts';
import { addTag } from '../../src/use-cases/add-tag.ts';
import { type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, issueTestTokens } from '../spec/http/preamble.ts';
import { requestOf } from '../spec/worlds/embedded-registry.ts';

let service: HttpService;
let writer: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ writer } = await issueTestTokens(service));
});
afterAll(() => service.close());

const head = () => service.registry.eventStore.head();

describe('a tag', () => {
  const create = (name: string, headers = {}) => service.post('/v1/tags', { name }, { key: writer, headers });

  it('is new once, and found in any case from then on', async () => {
    const first = await create('  Machine   Learning ');
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^tag_[0-9A-Za-z]{21}$/),
      slug: 'machine-learning',
      name: 'Machine Learning',
    });
    const written = await head();
    const second = await create('machine learning');
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('x-service-position')).toBe(first.headers.get('x-service-position'));
    expect(await head()).toBe(written);
  });

  it('has a slug of its own', async () => {
    expect((await create('C')).body).toMatchObject({ slug: 'c' });
    expect((await create('C++')).body).toMatchObject({ slug: 'c-2', name: 'C++' });
    expect((await create('c++')).body).toMatchObject({ slug: 'c-2', name: 'C++' });
  });

  it('that an org carries is there already, with its spelling and its slug', async () => {
    await createTestOrg(service, 'Carrier', { tags: ['GraphQL u', 'F', 'Lang++', 'Lang#'] });
    const found = await create('graphql u');
    expect([found.status, found.body]).toMatchObject([200, { slug: 'graphql-u', name: 'GraphQL u' }]);
    expect((await service.get('/v1/tags/graphql-u')).body.name).toBe('GraphQL u');
    const other = await create('f++');
    expect([other.status, other.body]).toMatchObject([201, { slug: 'f-2', name: 'f++' }]);
    expect((await service.get('/v1/tags/f')).body).toMatchObject({ name: 'F', orgs: [{ slug: 'carrier' }] });
    expect((await create('lang++')).body).toMatchObject({ slug: 'lang-2', name: 'Lang++' });
    const headers = { 'x-service-min-position': String(await head()) };
    const shown = await Promise.all(['lang', 'lang-2'].map((slug) => service.get(`/v1/tags/${slug}`, { headers })));
    expect(shown.map(({ body }) => [body.name, body.orgs.length])).toEqual([
      ['Lang#', 1],
      ['Lang++', 1],
    ]);
  });

  it('is made once what was asked to be waited for is read', async () => {
    const written = await head();
    const { status, body } = await create('Waited', { 'x-service-min-position': '999999999' });
    expect([status, body.error.code]).toEqual([503, 'projection_behind']);
    expect(await head()).toBe(written);
  });

  it('that was made is found without a look at who carries it, and no other is made', async () => {
    const { headers } = await create('Known!');
    await createTestOrg(service, 'Knower', { tags: ['Known'] });
    const { commands, viewAfter } = service.services;
    const looks: string[] = [];
    const view = async () => {
      const { catalogue, models } = await viewAfter(tagReads, await head());
      const orgsByTag = (slug: string) => {
        looks.push(slug);
        return catalogue.orgsByTag(slug);
      };
      return { models, catalogue: { ...catalogue, orgsByTag } };
    };
    const written = await head();
    const found = await addTag({ commands, view }, 'KNOWN!', requestOf(1));
    expect(found).toMatchObject({ isNew: false, state: { slug: 'known', name: 'Known!' } });
    expect(found.position).toBe(Number(headers.get('x-service-position')));
    expect([looks, await head()]).toEqual([[], written]);
    // Nor is a carried one made for the slug's sake when the slug is another's already.
    const other = await addTag({ commands, view }, 'Known?', requestOf(2));
    expect(other).toMatchObject({ isNew: true, state: { slug: 'known-2', name: 'Known?' } });
    expect(looks).toEqual(['known']);
    const { id, state, isNew, position } = other;
    const again = await addTag({ commands, view }, 'Known?', requestOf(2));
    expect(again).toMatchObject({ id, state, isNew, position });
  });

  it('is one, whoever of fifty comes first', async () => {
    const spellings = ['Racing', 'RACING', 'racing'];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create(spellings[n % 3]!)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('answers a repeat with the same key as the first time', async () => {
    const headers = { 'Idempotency-Key': 'tag-once' };
    const [first, second] = [await create('Once', headers), await create('Once', headers)];
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it.each(['', ' ', 'x'.repeat(61), '+++', 'a\u0007b'])('refuses the name %j', async (name) => {
    const written = await head();
    const { status, body } = await create(name);
    expect([status, body.error.code]).toEqual([400, 'validation_failed']);
    expect(await head()).toBe(written);
  });
});

describe('the site notice', () => {
  const notice = { active: true, message: 'We move', placement: 'home', color: '#00ff7F', dismissible: true };
  const put = (body: object) => service.call('PUT', '/v1/site-notice', { body });
  const shown = async (key: string | null) => (await service.get('/v1/site-notice', { key })).body.notice;

  it('is none at first', async () => {
    expect((await service.get('/v1/site-notice')).body).toEqual({ notice: null });
    expect(await shown(rootApiKey)).toBeNull();
  });

  it('is replaced as a whole and seen by everybody', async () => {
    const linked = { ...notice, linkText: 'How', href: '/moving' };
    const answer = await put(linked);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ notice: { ...linked, updatedAt: expect.stringMatching(/\.\d{3}Z$/) } });
    expect(Number(answer.headers.get('x-service-position'))).toBeGreaterThan(0);
    const read = await service.get('/v1/site-notice');
    expect(read.body).toEqual(answer.body);
    expect(read.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    expect((await put(notice)).body.notice).not.toHaveProperty('href');
  });

  it('can be sent back as it was read: that is nothing new', async () => {
    const { body } = await put(notice);
    const written = await head();
    const again = await put({ ...body.notice, updatedAt: 7 });
    expect([again.status, again.body]).toEqual([200, body]);
    expect(await head()).toBe(written);
    const unknown = await put({ ...notice, createdAt: '2026-01-01' });
    expect([unknown.status, unknown.body.error.code]).toEqual([400, 'validation_failed']);
  });

  it('is for admins only while it is a draft', async () => {
    const draft = await put({ ...notice, active: false });
    expect(draft.body.notice).toMatchObject({ active: false, message: 'We move' });
    expect(await shown(null)).toBeNull();
    expect(await shown(writer)).toBeNull();
    expect(await shown(rootApiKey)).toEqual(draft.body.notice);
    await put(notice);
    expect(await shown(writer)).toMatchObject({ active: true });
  });

  it('of a text for a link needs the link', async () => {
    const { status, body } = await put({ ...notice, linkText: 'How' });
    expect([status, body.error.details.issues]).toEqual([400, [{ path: 'linkText', message: 'needs href' }]]);
  });
});
