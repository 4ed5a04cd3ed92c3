import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from '../../src/compose/http-app.ts';
import type { Registry } from '../../src/compose/registry.ts';
import {
  type HttpService,
  noLookups,
  wideLimits,
  rootApiKey,
  startHttpService,
  webBaseUrl,
} from '../spec/http/http-service.ts';
import { serveApp } from '../spec/http/serve-app.ts';

let service: HttpService;
beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

const documentCaching = 'public, max-age=3600, stale-while-revalidate=300';

describe('the page of the reference', () => {
  it('runs no script but our own files, and asks no other host', async () => {
    const { status, headers, text } = await service.get('/v1/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe(documentCaching);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/https?:\/\/|<script>|<style| style=| on\w+=/);
  });

  it('is the same until something of it changes', async () => {
    const { headers } = await service.get('/v1/docs');
    const again = await service.get('/v1/docs', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });
});

describe('its files', () => {
  const addresses = async (): Promise<string[]> =>
    [...(await service.get('/v1/docs')).text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(
      ([, address]) => `/v1/${address}`,
    );
  /** As they are sent: `fetch` would unpack them. */
  const raw = (address: string, headers: Record<string, string>) =>
    service.get(address, { headers: { 'accept-encoding': 'identity', ...headers } });

  it('may be kept for ever, by an address that changes with them', async () => {
    const found = await addresses();
    expect(found.map((address) => address.split('/').at(-1))).toEqual([
      'swagger-ui.css',
      'start.css',
      'swagger-ui-bundle.js',
      'start.js',
    ]);
    for (const address of found) {
      const { status, headers } = await raw(address, {});
      expect(status, address).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
      expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    }
  });

  it('are kept for no address of another version, which a page of yesterday still names', async () => {
    const { status, headers } = await service.get('/v1/docs/yesterday/start.js');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect((await service.get('/v1/docs/yesterday/package.json')).status).toBe(404);
    expect((await service.get('/v1/docs/yesterday/..%2F..%2Fpackage.json')).status).toBe(404);
  });

  it('come compressed to whoever takes that, with a tag of their own that means the same', async () => {
    const [, , bundle = ''] = await addresses();
    const plain = await raw(bundle, {});
    const packed = await fetch(`${service.url}${bundle}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 3);
    expect(await packed.text()).toBe(plain.text);
    const tag = packed.headers.get('etag') ?? '';
    expect(tag).toBe(plain.headers.get('etag')?.replace(/"$/, '-gzip"'));
    expect((await raw(bundle, { 'if-none-match': tag })).status).toBe(304);
    const refused = await raw(bundle, { 'accept-encoding': 'gzip;q=0' });
    expect(refused.headers.get('content-encoding')).toBeNull();
  });
});

describe('the API catalogue', () => {
  it('tells machines where the interface is described, in its body and in a header', async () => {
    const { status, headers, text } = await service.get('/.well-known/api-catalog');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/linkset+json');
    expect(headers.get('cache-control')).toBe(documentCaching);
    expect(JSON.parse(text)).toEqual({
      linkset: [
        {
          anchor: `${webBaseUrl}/v1`,
          'service-desc': [{ href: `${webBaseUrl}/v1/openapi.json`, type: 'application/json' }],
          'service-doc': [{ href: `${webBaseUrl}/v1/docs`, type: 'text/html' }],
          status: [{ href: `${webBaseUrl}/health` }],
        },
      ],
    });
    const link = headers.get('link');
    expect(link).toContain(`<${webBaseUrl}/.well-known/api-catalog>; rel="api-catalog"`);
    for (const rel of ['service-desc', 'service-doc', 'status']) expect(link).toContain(`rel="${rel}"`);
    const head = await service.call('HEAD', '/.well-known/api-catalog');
    expect([head.status, head.headers.get('link'), head.text]).toEqual([200, link, '']);
  });
});

describe('stores that nobody has set up', () => {
  const answers = async (over: Partial<Registry>) => {
    const app = await createHttpApp(
      { ...service.registry, live: { ...service.registry.live, current: async () => null }, ...over },
      {
        rootApiKey,
        secretKey: new Uint8Array(32),
        webBaseUrl,
        trustedOrigins: [],
        lookups: noLookups,
        rateLimits: wideLimits,
      },
    );
    const { url, close } = await serveApp(app);
    const headers = { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' };
    const read = await fetch(`${url}/v1/orgs`);
    const write = await fetch(`${url}/v1/orgs`, { method: 'POST', headers, body: '{"name": "Never"}' });
    const ready = await fetch(`${url}/health/ready`);
    const told = await Promise.all(
      [read, write, ready].map(async (answer) => ({
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        error: ((await answer.json()) as { error: { code: string; message: string; details?: object } }).error,
      })),
    );
    await close();
    return told;
  };
  const measures = () => ({ ...service.registry.measures, roles: ['http'] as const });

  it('say so to who reads and who writes, with what sets them up', async () => {
    const readModels = { ...service.registry.readModels, pointers: async () => ({}) };
    const [read, write, ready] = await answers({ measures: measures(), readModels });
    const setup = ['registry serve --roles projector'];
    for (const answer of [read, write]) {
      expect(answer).toMatchObject({ status: 503, retryAfter: '1' });
      expect(answer?.error).toMatchObject({ code: 'database_not_initialized', details: { setup } });
      expect(answer?.error.message).toContain('registry serve --roles projector');
    }
    expect(ready).toMatchObject({ status: 503, error: { code: 'service_unavailable' } });
    expect(await service.registry.eventStore.read('slug-org:never')).toMatchObject({ version: 0 });
  });

  it('are no such when they are filled anew, or for the first time by this very process', async () => {
    const [anew] = await answers({ measures: measures() });
    expect(anew?.error.code).toBe('service_unavailable');
    const readModels = { ...service.registry.readModels, pointers: async () => ({}) };
    const [first] = await answers({ readModels });
    expect(first?.error.code).toBe('service_unavailable');
  });
});
