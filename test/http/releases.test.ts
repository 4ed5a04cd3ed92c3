import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource, issueTestToken } from '../spec/http/preamble.ts';

let service: HttpService;
let writer: string;

beforeAll(async () => {
  service = await startHttpService();
  writer = await issueTestToken(service, 'write');
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const titlesOf = ({ body }: HttpAnswer): string[] => body.releases.map(({ title }: { title: string }) => title);

const send = (sourceId: string, item: object, options = {}) =>
  service.post(`/v1/sources/${sourceId}/releases`, item, options);

describe('sending one release', () => {
  let sourceId: string;

  beforeAll(async () => {
    const org = await createTestOrg(service, 'Sender', { category: 'database' });
    sourceId = (await createTestSource(service, 'Engine', { orgId: org.id })).id;
  });

  it('answers 201 with the detail, its derived values and its position', async () => {
    const { status, body, headers } = await send(sourceId, {
      title: 'Engine 2.0.0',
      version: '2.0.0',
      content: '## Breaking\n- The old door is gone\n\n## Features\n- A new door\n',
      publishedAt: '2026-02-03',
      url: 'https://example.com/engine/2.0.0',
    });
    expect(status).toBe(201);
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(body).toMatchObject({
      id: expect.stringMatching(/^rel_[0-9A-Za-z]{21}$/),
      title: 'Engine 2.0.0',
      version: '2.0.0',
      publishedAt: '2026-02-03T00:00:00.000Z',
      type: 'feature',
      prerelease: false,
      breaking: 'major',
      importance: 5,
      composition: { bugs: 0, features: 1, enhancements: 0 },
      migrationNotes: expect.stringContaining('The old door is gone'),
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      revision: 1,
      sourceName: 'Engine',
      sourceSlug: 'engine',
      sourceType: 'scrape',
      sourceIsHidden: false,
      effectiveCategory: 'database',
      appStore: null,
      video: null,
      org: { slug: 'sender', discovery: 'curated', isHidden: false },
      suppressed: false,
      suppressedReason: null,
      webUrl: `https://registry.example/release/${body.id}-engine-2-0-0`,
    });
    expect(body).not.toHaveProperty('result');
  });

  it('answers 200 with the result when the release is known', async () => {
    const item = { title: 'Engine 2.1.0', version: '2.1.0', content: 'Quieter.' };
    const first = await send(sourceId, item);
    expect(first.status).toBe(201);
    const second = await send(sourceId, item);
    expect([second.status, second.body.result, second.body.revision]).toEqual([200, 'unchanged', 1]);
    const third = await send(sourceId, { ...item, title: 'Engine 2.1.0, renamed' });
    expect(third.status).toBe(200);
    expect(third.body).toMatchObject({
      id: first.body.id,
      result: 'revised',
      revision: 2,
      title: 'Engine 2.1.0, renamed',
      content: 'Quieter.',
      fetchedAt: first.body.fetchedAt,
    });
  });

  it('counts the tokens of the text, and none where there is no text', async () => {
    const { body } = await send(sourceId, { title: 'Words', version: '3.0.0', content: 'hello world' });
    expect([body.contentChars, body.contentTokens]).toEqual([11, 2]);
    const { body: empty } = await send(sourceId, { title: 'No words', version: '3.0.1' });
    expect([empty.content, empty.contentChars, empty.contentTokens, empty.contentHash]).toEqual(['', null, null, null]);
  });

  it('gives a long text back whole', async () => {
    const content = `${'é😀 line\n'.repeat(40_000)}end`;
    const { body } = await send(sourceId, { title: 'Long', version: '4.0.0', content });
    expect(body.content).toBe(content);
    expect((await service.get(`/v1/releases/${body.id}`)).body.content).toBe(content);
  });

  it('takes the slug of the source and the path below its org', async () => {
    expect((await send('engine', { title: 'By slug', version: '5.0.0' })).status).toBe(201);
    const twin = await service.post('/v1/orgs/sender/sources/engine/releases', { title: 'Below', version: '5.0.1' });
    expect([twin.status, twin.body.sourceId]).toEqual([201, sourceId]);
    expect(codeOf(await service.post('/v1/orgs/nobody/sources/engine/releases', { title: 'x' }))).toEqual([
      404,
      'not_found',
    ]);
    expect(codeOf(await service.post('/v1/orgs/sender/sources/other/releases', { title: 'x' }))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('refuses a slug that several sources share and names them', async () => {
    const other = await createTestOrg(service, 'Second Sender');
    await createTestSource(service, 'Engine', { orgId: other.id, url: 'https://example.com/second/changelog' });
    const answer = await send('engine', { title: 'Whose?' });
    expect(codeOf(answer)).toEqual([409, 'ambiguous_slug']);
    expect(answer.body.error.details.candidates.map(({ orgSlug }: { orgSlug: string }) => orgSlug)).toEqual([
      'second-sender',
      'sender',
    ]);
  });

  it.each([
    [{}, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ title: 'x', importance: 6 }, 'importance'],
    [{ title: 'x', url: 'ftp://example.com' }, 'url'],
    [{ title: 'x', publishedAt: 'yesterday' }, 'publishedAt'],
    [{ title: 'x', media: [{ type: 'image' }] }, 'media[0].url'],
    [{ title: 'x', emit: false }, ''],
  ])('refuses %j', async (item, path) => {
    const answer = await send(sourceId, item);
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues[0].path).toBe(path);
  });

  it('needs a writer, who is told no more than any reader', async () => {
    expect(codeOf(await send(sourceId, { title: 'x' }, { key: null }))).toEqual([401, 'unauthorized']);
    const reader = await issueTestToken(service, 'read');
    expect(codeOf(await send(sourceId, { title: 'x' }, { key: reader }))).toEqual([403, 'insufficient_scope']);
    const { status, body } = await send(sourceId, { title: 'By a writer', version: '6.0.0' }, { key: writer });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('suppressed');
    expect(body).not.toHaveProperty('suppressedReason');
  });

  it('shows a release of the future to its writer and to nobody else', async () => {
    const item = { title: 'Tomorrow', version: '7.0.0', publishedAt: '2999-01-01T00:00:00Z' };
    const { status, body } = await send(sourceId, item, { key: writer });
    expect([status, body.publishedAt]).toEqual([201, '2999-01-01T00:00:00.000Z']);
    expect((await service.get(`/v1/releases/${body.id}`)).status).toBe(404);
    expect((await service.get(`/v1/releases/${body.id}`, root)).status).toBe(200);
    expect(titlesOf(await service.get('/v1/releases/latest?count=100'))).not.toContain('Tomorrow');
    const patched = await service.patch(`/v1/releases/${body.id}`, { publishedAt: '2026-01-01' }, { key: writer });
    expect(patched.status).toBe(200);
    expect((await service.get(`/v1/releases/${body.id}`)).status).toBe(200);
  });

  it('finds a hidden source for admins only', async () => {
    const { id } = await createTestSource(service, 'Secret', { isHidden: true });
    expect(codeOf(await send(id, { title: 'x' }, { key: writer }))).toEqual([404, 'not_found']);
    const { status, body } = await send(id, { title: 'Hidden', version: '1.0.0' });
    expect([status, body.sourceIsHidden]).toEqual([201, true]);
    expect((await service.get(`/v1/releases/${body.id}`)).status).toBe(404);
    expect(codeOf(await service.patch(`/v1/releases/${body.id}`, { title: 'y' }, { key: writer }))).toEqual([
      404,
      'not_found',
    ]);
    expect((await service.patch(`/v1/releases/${body.id}`, { title: 'y' })).status).toBe(200);
  });

  it('records that there was contact with the source', async () => {
    const org = await createTestOrg(service, 'Contacted');
    const { id } = await createTestSource(service, 'Contact', { orgId: org.id });
    expect((await service.get('/v1/orgs/contacted')).body.lastFetchedAt).toBeNull();
    await send(id, { title: 'Hello' });
    expect((await service.get('/v1/orgs/contacted')).body.lastFetchedAt).not.toBeNull();
  });
});

describe('one release', () => {
  let id: string;

  beforeAll(async () => {
    const { id: sourceId } = await createTestSource(service, 'Detail');
    id = (await send(sourceId, { title: 'Shown', version: '1.0.0', content: 'All of it.' })).body.id;
  });

  it('is public, with its text, and cached for a minute', async () => {
    const { status, body, headers } = await service.get(`/v1/releases/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, content: 'All of it.', org: null, effectiveCategory: null, revision: 1 });
    expect(body).not.toHaveProperty('suppressed');
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
  });

  it('tells admins whether it is suppressed, and others not', async () => {
    expect((await service.get(`/v1/releases/${id}`, root)).body).toMatchObject({
      suppressed: false,
      suppressedReason: null,
    });
    expect((await service.get(`/v1/releases/${id}`, { key: writer })).body).not.toHaveProperty('suppressed');
  });

  it('is found with words behind its id, and not by anything else', async () => {
    expect((await service.get(`/v1/releases/${id}-shown-1-0-0`)).body.id).toBe(id);
    for (const path of [
      'rel_aaaaaaaaaaaaaaaaaaaaa',
      `${id}x`,
      'rel_short',
      'nonsense',
      '%00',
      '%E0%A4%A',
      'a'.repeat(9_000),
    ]) {
      const answer = await service.get(`/v1/releases/${path}`);
      expect(codeOf(answer), path.slice(0, 40)).toEqual([404, 'not_found']);
    }
  });
});
