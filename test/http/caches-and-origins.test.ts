import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, issueTestToken } from '../spec/http/preamble.ts';

let service: HttpService;
let reader: string;

beforeAll(async () => {
  service = await startHttpService();
  reader = await issueTestToken(service, 'read');
  await createTestOrg(service, 'Known', { domain: 'known.example' });
});
afterAll(() => service.close());

describe('conditional reads', () => {
  it('carry a strong tag of their bytes and answer 304', async () => {
    const first = await service.get('/v1/orgs?includeEmpty=1');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
    const plain = etag.slice(1, -1);
    for (const tag of [etag, `W/${etag}`, `"${plain}-gzip"`, `"${plain}-br"`, `"other", ${etag}`, '*']) {
      const again = await service.get('/v1/orgs?includeEmpty=1', { headers: { 'if-none-match': tag } });
      expect(again.status, tag).toBe(304);
      expect(again.text).toBe('');
      expect(again.headers.get('etag')).toBe(etag);
      expect(again.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    }
    for (const tag of ['"other"', plain, `"${plain}-zip"`]) {
      const changed = await service.get('/v1/orgs?includeEmpty=1', { headers: { 'if-none-match': tag } });
      expect([changed.status, changed.text], tag).toEqual([200, first.text]);
    }
  });

  it('answer HEAD like GET, without a body', async () => {
    const get = await service.get('/v1/orgs/known');
    const head = await service.call('HEAD', '/v1/orgs/known');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'cache-control', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    const missing = await service.call('HEAD', '/v1/orgs/nobody');
    expect([missing.status, missing.text]).toEqual([404, '']);
  });
});

describe('caches', () => {
  it('keep public reads, and nothing of whoever sends a credential', async () => {
    const cacheOf = async (options: object) =>
      (await service.get('/v1/orgs/known', options)).headers.get('cache-control');
    expect(await cacheOf({})).toBe('public, max-age=60, stale-while-revalidate=30');
    expect(await cacheOf({ key: reader })).toBe('private, no-store');
    expect(await cacheOf({ headers: { cookie: 'a=b' } })).toBe('private, no-store');
    const written = await service.post('/v1/orgs', { name: 'Not cached' });
    expect(written.headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('other origins', () => {
  it('may read without credentials; trusted ones with them', async () => {
    const from = async (origin: string) => (await service.get('/v1/orgs', { headers: { origin } })).headers;
    const stranger = await from('https://stranger.example');
    expect(stranger.get('access-control-allow-origin')).toBe('*');
    expect(stranger.get('access-control-allow-credentials')).toBeNull();
    const exposed = stranger.get('access-control-expose-headers') ?? '';
    for (const name of ['ETag', 'X-Cache', 'X-Service-Request-Id', 'X-Service-Position', 'Retry-After', 'RateLimit']) {
      expect(exposed.split(', ')).toContain(name);
    }
    const trusted = await from('https://trusted.example');
    expect(trusted.get('access-control-allow-origin')).toBe('https://trusted.example');
    expect(trusted.get('access-control-allow-credentials')).toBe('true');
    for (const headers of [trusted, stranger]) expect(headers.get('vary')).toContain('Origin');
  });

  it('may ask first, and may read errors', async () => {
    const headers = { origin: 'https://stranger.example', 'access-control-request-method': 'PATCH' };
    const asked = await service.call('OPTIONS', '/v1/orgs/known', { headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH');
    const allowed = asked.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['Idempotency-Key', 'If-None-Match', 'If-Modified-Since']));
    const failed = await service.get('/v1/orgs/nobody', { headers: { origin: 'https://stranger.example' } });
    expect(failed.headers.get('access-control-allow-origin')).toBe('*');
  });
});
