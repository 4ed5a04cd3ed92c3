import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let reader: string;
let writer: string;
let admin: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ reader, writer, admin } = await issueTestTokens(service));
});
afterAll(() => service.close());

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const put = (path: string, body: unknown, key?: string) => service.call('PUT', path, { body, ...(key && { key }) });
const positionOf = ({ headers }: HttpAnswer) => Number(headers.get('x-service-position'));

describe('accounts', () => {
  it('are linked, shown by platform and handle, and unlinked', async () => {
    await createTestOrg(service, 'Linked');
    const link = (platform: string, handle: string) => service.post('/v1/orgs/linked/accounts', { platform, handle });
    expect(await link('X', 'linked')).toMatchObject({ status: 201, body: { platform: 'x', handle: 'linked' } });
    await link('github', 'Linked-Inc');
    await link('github', 'also');
    expect((await service.get('/v1/orgs/linked')).body.accounts).toEqual([
      { platform: 'github', handle: 'also' },
      { platform: 'github', handle: 'Linked-Inc' },
      { platform: 'x', handle: 'linked' },
    ]);
    const gone = await service.remove('/v1/orgs/linked/accounts/GitHub/linked-inc');
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await service.get('/v1/orgs/linked')).body.accounts).toHaveLength(2);
    const again = await service.remove('/v1/orgs/linked/accounts/github/linked-inc');
    expect([again.status, positionOf(again)]).toEqual([204, positionOf(gone)]);
  });

  it('are of one org only, until that one unlinks them or is deleted', async () => {
    for (const name of ['First owner', 'Second owner']) await createTestOrg(service, name);
    const link = (org: string) => service.post(`/v1/orgs/${org}/accounts`, { platform: 'github', handle: 'wanted' });
    expect((await link('first-owner')).status).toBe(201);
    const refused = await link('second-owner');
    expect(codeOf(refused)).toEqual([409, 'conflict']);
    expect(refused.body.error.details).toEqual({ field: 'account', value: 'github:wanted' });
    expect(codeOf(await link('first-owner'))).toEqual([409, 'conflict']);
    const { body: first } = await service.get('/v1/orgs/first-owner');
    await service.remove('/v1/orgs/first-owner');
    expect((await link('second-owner')).status).toBe(201);
    const restored = await service.post(`/v1/orgs/${first.id}/restore`, undefined);
    expect(restored.body.error).toMatchObject({ code: 'conflict', details: { field: 'account' } });
  });

  it('give feed items the oldest handle on GitHub', async () => {
    const org = await createTestOrg(service, 'Handled');
    const source = await createTestSource(service, 'Handled', { orgId: org.id });
    await service.post(`/v1/sources/${source.id}/releases`, { title: 'One', version: '1.0.0' });
    await service.post('/v1/orgs/handled/accounts', { platform: 'github', handle: 'zed' });
    await service.post('/v1/orgs/handled/accounts', { platform: 'github', handle: 'abe' });
    const { body } = await service.get('/v1/orgs/handled/releases');
    expect(body.releases[0].org.githubHandle).toBe('zed');
  });
});

describe('tags', () => {
  it('of an org are replaced, added and removed one by one', async () => {
    await createTestOrg(service, 'Tagged', { tags: ['b'] });
    const added = await service.post('/v1/orgs/tagged/tags', { tags: ['B', 'a'] });
    expect([added.status, added.body]).toEqual([200, { items: ['a', 'b'] }]);
    expect((await service.get('/v1/orgs/tagged')).body.tags).toEqual(['a', 'b']);
    const same = await service.post('/v1/orgs/tagged/tags', { tags: ['A'] });
    expect([same.body, positionOf(same)]).toEqual([{ items: ['a', 'b'] }, positionOf(added)]);
    expect((await put('/v1/orgs/tagged/tags', { tags: ['c d', 'c'] })).body).toEqual({ items: ['c', 'c d'] });
    expect((await service.remove('/v1/orgs/tagged/tags/c%20d')).status).toBe(204);
    expect((await service.get('/v1/orgs/tagged')).body.tags).toEqual(['c']);
  });

  it('of a product likewise', async () => {
    const org = await createTestOrg(service, 'Product tags');
    const { id } = await service.create('/v1/products', { name: 'Tool', orgId: org.id });
    expect((await put(`/v1/products/${id}/tags`, { tags: ['x'] })).body).toEqual({ items: ['x'] });
    expect((await service.post(`/v1/products/${id}/tags`, { tags: ['w'] })).body).toEqual({ items: ['w', 'x'] });
    expect((await service.remove(`/v1/products/${id}/tags/X`)).status).toBe(204);
    await put(`/v1/products/${id}/tags`, { tags: ['Two  words', 'w'] });
    expect((await service.remove(`/v1/products/${id}/tags/TWO%20%20Words`)).status).toBe(204);
    expect((await service.remove(`/v1/products/${id}/tags/%20`)).status).toBe(204); // no tag has that name
    expect((await service.get(`/v1/products/${id}/tags`)).body).toEqual(['w']);
    expect(codeOf(await put('/v1/products/tool/tags', { tags: ['x'] }))).toEqual([400, 'bare_slug_rejected']);
  });

  it('added by twenty at once are all there', async () => {
    await createTestOrg(service, 'Many taggers');
    const tags = Array.from({ length: 20 }, (_, n) => `tag-${String(n).padStart(2, '0')}`);
    const answers = await Promise.all(tags.map((tag) => service.post('/v1/orgs/many-taggers/tags', { tags: [tag] })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await service.get('/v1/orgs/many-taggers')).body.tags).toEqual(tags);
  });
});

describe('an overview', () => {
  const overview = {
    content: 'It makes rockets.',
    releaseCount: 7,
    lastContributingReleaseAt: '2026-01-02',
    citations: [{ sourceUrl: 'https://rockets.example/1', startIndex: 0, endIndex: 8, citedText: 'It makes' }],
  };

  it('is written, answered and shown with its org', async () => {
    await createTestOrg(service, 'Overseen');
    expect((await service.get('/v1/orgs/overseen')).body.overview).toBeNull();
    const { status, body } = await put('/v1/orgs/overseen/overview', overview, writer);
    const expected = {
      scope: 'org',
      orgSlug: 'overseen',
      productSlug: null,
      ...overview,
      lastContributingReleaseAt: '2026-01-02T00:00:00.000Z',
      generatedAt: body.updatedAt,
      updatedAt: body.updatedAt,
    };
    expect([status, body]).toEqual([200, expected]);
    expect((await service.get('/v1/orgs/overseen')).body.overview).toEqual(expected);
    expect((await put('/v1/orgs/overseen/overview', overview)).body).toEqual(expected);
  });

  it('of a product names both', async () => {
    const org = await createTestOrg(service, 'Makers');
    const { id } = await service.create('/v1/products', { name: 'Thing', orgId: org.id });
    const { body } = await put(`/v1/products/${id}/overview`, { content: 'A thing.', releaseCount: 0 });
    expect(body).toMatchObject({ scope: 'product', orgSlug: 'makers', productSlug: 'thing', citations: [] });
  });

  it('must not cite what is not in it', async () => {
    await createTestOrg(service, 'Misquoted');
    const citations = [{ sourceUrl: 'https://x.example', startIndex: 0, endIndex: 99 }];
    const answer = await put('/v1/orgs/misquoted/overview', { ...overview, citations });
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues[0].path).toBe('citations[0]');
  });

  it('takes the longest text that is allowed', async () => {
    await createTestOrg(service, 'Long winded');
    const content = '\u{1F680}'.repeat(100_000);
    const { status, body } = await put('/v1/orgs/long-winded/overview', { content, releaseCount: 1 });
    expect([status, body.content === content]).toEqual([200, true]);
  });
});

describe('a playbook', () => {
  it('is written by admins and read with any credential, never without one', async () => {
    await createTestOrg(service, 'Played');
    const path = '/v1/orgs/played/playbook';
    expect((await service.get(path, { key: reader })).text).toBe('null');
    expect(codeOf(await put(path, { content: 'x' }, writer))).toEqual([403, 'insufficient_scope']);
    const { status, body } = await put(path, { content: 'Ask Wile.' }, admin);
    expect([status, body]).toEqual([200, { scope: 'playbook', content: 'Ask Wile.', updatedAt: body.updatedAt }]);
    expect((await service.get(path, { key: reader })).body).toEqual(body);
    expect(codeOf(await service.get(path))).toEqual([401, 'unauthorized']);
    expect(await service.get('/v1/orgs/played').then((org) => Object.hasOwn(org.body, 'playbook'))).toBe(false);
    const seen = await service.get('/v1/orgs/played', { key: reader });
    expect(seen.body.playbook).toEqual(body);
    expect([seen.headers.get('cache-control'), seen.headers.get('cdn-cache-control')]).toEqual([
      'private, no-store',
      'no-store',
    ]);
    expect((await service.remove(path, { key: admin })).status).toBe(204);
    expect((await service.get(path, { key: reader })).body).toBeNull();
  });
});

describe('a stub', () => {
  const stub = (name: string, domain: string) => ({
    name,
    domain,
    locations: [
      { github: `${name}/rocket`, canonical: true },
      { feed: `https://${domain}/feed.xml`, title: 'News' },
    ],
  });

  it('is asked for, promoted, and demoted again', async () => {
    const created = await service.post('/v1/orgs/stub', stub('stubby', 'stubby.example'), { key: admin });
    expect([created.status, created.body.status]).toEqual([201, 'stub']);
    expect((await service.get('/v1/orgs')).body.items.map(({ slug }: { slug: string }) => slug)).not.toContain(
      'stubby',
    );

    const asked = await service.post('/v1/orgs/stubby/request-tracking', undefined, { key: reader });
    expect([asked.status, asked.body.requested]).toEqual([202, true]);
    const again = await service.post('/v1/orgs/stubby/request-tracking', undefined, { key: writer });
    expect(again.body).toEqual(asked.body);
    const requests = () => service.get('/v1/orgs?trackingRequested=1', { key: admin });
    expect((await requests()).body.items).toMatchObject([
      { slug: 'stubby', status: 'stub', releaseCount: 0, trackingRequestedAt: asked.body.trackingRequestedAt },
    ]);

    const promoted = await service.post('/v1/orgs/stubby/promote', undefined, { key: admin });
    expect([promoted.status, promoted.body.createdSources, promoted.body.org.status]).toEqual([200, 2, 'tracked']);
    const sources: { id: string; slug: string; type: string; isPrimary: boolean }[] = promoted.body.org.sources;
    expect(sources.map(({ slug, type, isPrimary }) => [slug, type, isPrimary])).toEqual([
      ['news', 'feed', false],
      ['rocket', 'github', true],
    ]);
    expect(promoted.body.org.locations.map(({ sourceId }: { sourceId: string }) => sourceId).sort()).toEqual(
      sources.map(({ id }) => id).sort(),
    );
    expect((await requests()).body.items).toEqual([]);
    expect((await service.post('/v1/orgs/stubby/promote', undefined)).body.createdSources).toBe(0);
    expect(codeOf(await service.post('/v1/orgs/stubby/request-tracking', undefined))).toEqual([409, 'already_tracked']);

    expect(codeOf(await service.post('/v1/orgs/stubby/demote', undefined))).toEqual([409, 'conflict']);
    for (const { id } of sources) await service.remove(`/v1/sources/${id}`);
    const demoted = await service.post('/v1/orgs/stubby/demote', undefined, { key: admin });
    expect([demoted.status, demoted.body.org.status, demoted.body.org.locations.length]).toEqual([200, 'stub', 2]);
  });

  it('is tracked with its first source, also one that comes back', async () => {
    const { body: org } = await service.post('/v1/orgs/stub', stub('sprout', 'sprout.example'));
    const source = await createTestSource(service, 'Sprout', { orgId: org.id });
    const statusOf = async () => (await service.get('/v1/orgs/sprout')).body.status;
    expect(await statusOf()).toBe('tracked');
    await service.remove(`/v1/sources/${source.id}`);
    await service.post('/v1/orgs/sprout/demote', undefined);
    expect(await statusOf()).toBe('stub');
    await service.post(`/v1/sources/${source.id}/restore`, undefined);
    expect(await statusOf()).toBe('tracked');
  });

  it('with a name or domain that is taken is refused', async () => {
    await createTestOrg(service, 'Taken domain', { domain: 'taken.example' });
    const refused = await service.post('/v1/orgs/stub', stub('other', 'taken.example'));
    expect(refused.body.error).toMatchObject({ code: 'conflict', details: { field: 'domain' } });
    expect(codeOf(await service.post('/v1/orgs/stub', stub('other', 'free.example'), { key: writer }))).toEqual([
      403,
      'insufficient_scope',
    ]);
  });

  it('without a location cannot be made of an org', async () => {
    await createTestOrg(service, 'Placeless');
    const refused = await service.post('/v1/orgs/placeless/demote', undefined);
    expect(refused.body.error).toMatchObject({ code: 'conflict', details: { field: 'locations' } });
  });
});
