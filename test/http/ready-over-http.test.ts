import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKeepable } from '../../src/http/route.ts';
import { allRoutes, rootRoutes } from '../../src/http/routes/all-routes.ts';
import { webRoutes } from '../../src/http/routes/web/web-pages.ts';
import { eventually } from '../spec/eventually.ts';
import { createSeeded } from '../spec/seeded.ts';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestReleases, issueTestToken } from '../spec/http/preamble.ts';

let service: HttpService;
let reader: string;
let acme: Awaited<ReturnType<typeof createTestReleases>>;
let beta: Awaited<ReturnType<typeof createTestReleases>>;

beforeAll(async () => {
  service = await startHttpService();
  reader = await issueTestToken(service, 'read');
  acme = await createTestReleases(service, 'Acme', 12, (index) => ({ content: `- thing ${index} `.repeat(20) }));
  beta = await createTestReleases(service, 'Beta', 3);
});
afterAll(() => service.close());

const cacheOf = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await service.get(path, { headers })).headers.get('x-cache');

/** Made for this request alone. */
const unkept = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.get(path, { headers: { ...headers, 'x-service-min-position': '1' } });

/** The bytes as they travel. */
const raw = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const { statusCode, headers: sent, body } = await request(`${service.url}${path}`, { headers });
  return { status: statusCode, headers: sent, bytes: Buffer.from(await body.arrayBuffer()) };
};

describe('public reads', () => {
  it('are all kept, but for how the service is now and what is searched for', () => {
    const never = [...allRoutes, ...rootRoutes, ...webRoutes]
      .filter((route) => route.method === 'GET' && route.access === 'public' && !isKeepable(route))
      .map(({ path }) => path);
    const searched = ['/search', '/search/releases']; // its index changes without read models, and questions are seldom the same
    expect(never.sort()).toEqual(['/health', '/health/live', '/health/ready', ...searched]);
  });

  it('are answered with what is ready, each with a request id of its own', async () => {
    const first = await service.get('/v1/orgs/acme');
    const second = await service.get('/v1/orgs/acme');
    expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
    expect(second.text).toBe(first.text);
    const own = ['x-cache', 'x-service-request-id', 'date', 'ratelimit'];
    const shared = (headers: Headers) => [...headers].filter(([name]) => !own.includes(name)).sort();
    expect(shared(second.headers)).toEqual(shared(first.headers));
    expect(second.headers.get('x-service-request-id')).not.toBe(first.headers.get('x-service-request-id'));
    expect(second.headers.get('ratelimit')).not.toBe(first.headers.get('ratelimit'));
  });

  it('share what is kept whatever the order of their parameters, and unknown ones fill nothing', async () => {
    const path = '/v1/orgs/acme/releases';
    expect(await cacheOf(`${path}?limit=3&include_prereleases=true`)).toBe('MISS');
    expect(await cacheOf(`${path}?include_prereleases=true&limit=3`)).toBe('HIT');
    expect(await cacheOf(`${path}?limit=3&include_prereleases=true&utm=1`)).toBe('HIT');
    expect(await cacheOf(`${path}?limit=4&include_prereleases=true`)).toBe('MISS');
  });

  it('of those who send a credential or a position are neither answered from it nor kept', async () => {
    const path = '/v1/orgs/acme/releases?limit=7';
    const expectBypasses = async () => {
      expect((await service.get(path, { key: reader })).headers.get('x-cache')).toBe('BYPASS');
      expect(await cacheOf(path, { cookie: 'a=b' })).toBe('BYPASS');
      expect(await cacheOf(path, { 'x-service-min-position': '1' })).toBe('BYPASS');
    };
    await expectBypasses();
    expect(await cacheOf(path)).toBe('MISS');
    await expectBypasses();
    expect(await cacheOf('/v1/releases/latest?count=3')).toBe('BYPASS');
    expect(await cacheOf('/v1/releases/latest?count=3')).toBe('BYPASS');
  });

  it('are compressed for those who like it, under a tag of their own', async () => {
    const path = '/v1/orgs/acme/releases?limit=9';
    const plain = await raw(path);
    const tag = String(plain.headers['etag']);
    for (const [accepted, encoding, unpack] of [
      ['gzip', 'gzip', gunzipSync],
      ['br', 'br', brotliDecompressSync],
      ['br;q=0.5, gzip;q=0.9', 'gzip', gunzipSync],
    ] as const) {
      for (let turn = 0; turn < 2; turn += 1) {
        const packed = await raw(path, { 'accept-encoding': accepted });
        expect(packed.headers['content-encoding'], accepted).toBe(encoding);
        expect(packed.headers['etag']).toBe(`${tag.slice(0, -1)}-${encoding}"`);
        expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
        expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true);
      }
    }
    for (const accepted of ['identity', 'gzip;q=0, br;q=0', 'zstd']) {
      const answer = await raw(path, { 'accept-encoding': accepted });
      expect([answer.headers['content-encoding'], answer.bytes.equals(plain.bytes)]).toEqual([undefined, true]);
    }
    const unchanged = await raw(path, { 'accept-encoding': 'gzip', 'if-none-match': `${tag.slice(0, -1)}-gzip"` });
    expect([unchanged.status, unchanged.bytes.length, unchanged.headers['content-type']]).toEqual([304, 0, undefined]);
  });

  it('are kept as JSON and as Markdown beside each other', async () => {
    const path = `/v1/releases/${acme.ids[0]}`;
    const markdown = { accept: 'text/markdown' };
    const [json, text] = [await service.get(path), await service.get(path, { headers: markdown })];
    expect(text.headers.get('content-type')).toContain('text/markdown');
    expect((await service.get(path, { headers: markdown })).text).toBe(text.text);
    expect((await service.get(path)).text).toBe(json.text);
    expect([await cacheOf(path), await cacheOf(path, markdown)]).toEqual(['HIT', 'HIT']);
  });

  it('that lead elsewhere do so whatever the caller has', async () => {
    const path = `/release/${acme.ids[0]}.json`;
    const tags = { 'if-none-match': '*', 'accept-encoding': 'gzip' };
    for (const headers of [{}, tags, { ...tags, cookie: 'a=b' }]) {
      const { status, headers: told } = await raw(path, headers);
      expect([status, told['etag'], told['content-type']]).toEqual([308, undefined, undefined]);
      expect(told['location']).toMatch(/^\/release\/.+-acme-0\.json$/);
    }
  });

  it('stay ready while another source or org gets releases', async () => {
    const paths = [`/v1/sources/${acme.source.id}/releases`, '/v1/orgs/acme/releases'];
    const caches = () => Promise.all(paths.map((path) => cacheOf(path)));
    await caches();
    await service.post(`/v1/sources/${beta.source.id}/releases/batch`, {
      releases: [{ title: 'Elsewhere', version: '9.0.0' }],
    });
    expect(await caches()).toEqual(paths.map(() => 'HIT'));
    await service.post(`/v1/sources/${acme.source.id}/releases/batch`, {
      releases: [{ title: 'Here', version: '9.0.0' }],
    });
    expect(await caches()).toEqual(paths.map(() => 'MISS'));
  });

  it('cannot be answered with what another request made up', async () => {
    const paths = ['/v1/orgs/acme/releases', '/v1/orgs']; // of every route: ready/request-variants.test.ts
    const queries = ['', '?limit=2', '?limit=2&x=1', '?x=%00', '?limit=2&limit=3', '?LIMIT=2', '?limit=', '?%6cimit=2'];
    const more = ['?limit=zwei', '?count=10', '?count=11', '?cursor=junk', '?&&', '?limit=2#x', '?asOf=2026-01-01'];
    // The same is asked for, and the cursor of each holds for its own words alone.
    const sameAsked = ['?limit=1', '?limit=1&include_prereleases=false', '?limit=1&include_coverage=false'];
    const headers: Readonly<Record<string, string>>[] = [
      {},
      { accept: 'text/markdown' },
      { accept: 'text/html, */*;q=0.1' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-for': '10.0.0.1' },
      { 'accept-encoding': 'gzip' },
    ];
    for (const path of paths) {
      for (const query of [...queries, ...more, ...sameAsked]) {
        for (const sent of headers) {
          const asked = `${path}${query}`;
          const kept = await service.get(asked, { headers: sent });
          const fresh = await unkept(asked, sent);
          expect([kept.status, kept.text], `${asked} ${JSON.stringify(sent)}`).toEqual([fresh.status, fresh.text]);
        }
      }
    }
  });

  it('are never older than what was written before them', async () => {
    const random = createSeeded(19);
    const sources = [acme.source, beta.source];
    const orgs = [acme.org, beta.org];
    let version = 100;
    const writes: (() => Promise<unknown>)[] = [
      () => {
        const releases = [{ title: `Release ${(version += 1)}`, version: `${version}.0.0` }];
        return service.post(`/v1/sources/${random.pick(sources).id}/releases/batch`, { releases });
      },
      () => service.patch(`/v1/releases/${random.pick(acme.ids)}`, { title: `Edited ${(version += 1)}` }),
      () => service.patch(`/v1/orgs/${random.pick(orgs).id}`, { name: `Renamed ${(version += 1)}` }),
      () => service.patch(`/v1/sources/${random.pick(sources).id}`, { isHidden: random.int(0, 1) === 1 }),
      () => service.post(`/v1/releases/${random.pick(acme.ids)}/suppress`, { reason: 'a test' }),
      () => service.post(`/v1/releases/${random.pick(acme.ids)}/unsuppress`, {}),
      () => service.remove(`/v1/releases/${random.pick(beta.ids)}`),
    ];
    const paths = [
      '/v1/releases/latest',
      '/v1/orgs',
      '/v1/stats',
      '/v1/sources',
      '/v1/products',
      ...orgs.flatMap(({ id }) => [`/v1/orgs/${id}`, `/v1/orgs/${id}/releases`, `/v1/orgs/${id}/activity`]),
      ...sources.flatMap(({ id }) => [`/v1/sources/${id}`, `/v1/sources/${id}/releases`, `/v1/sources/${id}/heatmap`]),
      ...[...acme.ids.slice(0, 3), ...beta.ids].map((id) => `/v1/releases/${id}`),
    ];
    /** Contacts are no read models, and one number of `stats` is the present moment. */
    const withoutContacts = (text: string) =>
      text.replace(/"(last(Fetched|Polled|Checked)At|cutoff)":("[^"]*"|null)/g, '""');
    let hits = 0;
    for (let turn = 0; turn < 60; turn += 1) {
      if (turn % 2 === 0) await random.pick(writes)();
      for (let reads = 0; reads < 6; reads += 1) {
        const path = random.pick(paths);
        const kept = await service.get(path);
        const fresh = await unkept(path);
        if (kept.headers.get('x-cache') === 'HIT') hits += 1;
        const seen = ({ status, text }: typeof kept) => [status, withoutContacts(text)];
        expect(seen(kept), `${path} in turn ${turn}`).toEqual(seen(fresh));
      }
    }
    expect(hits).toBeGreaterThan(30);
  });

  it('that are made for their reader alone tell of the last 30 days to the moment', async () => {
    const edgeMs = Date.now() + 2_000;
    const publishedAt = new Date(edgeMs - 30 * 86_400_000).toISOString();
    const { org } = await createTestReleases(service, 'Edge', 1, () => ({ publishedAt }));
    const counted = async () => {
      const { body } = await unkept(`/v1/orgs/${org.id}`);
      const feed = await unkept(`/v1/orgs/${org.id}/releases?since=30d`);
      return [body.releasesLast30Days, feed.body.releases.length];
    };
    let isPast = false;
    await eventually('a release is 30 days old', async () => {
      isPast = Date.now() > edgeMs;
      const counts = await counted();
      if (isPast) expect(counts).toEqual([0, 0]);
      else if (Date.now() < edgeMs) expect(counts).toEqual([1, 1]);
      return isPast;
    });
  });
});
