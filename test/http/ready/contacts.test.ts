import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type HttpService, rootApiKey, startHttpService } from '../../spec/http/http-service.ts';
import { createTestOrgWithSource } from '../../spec/http/preamble.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

let service: HttpService;
let startMs: number;
let acme: Awaited<ReturnType<typeof createTestOrgWithSource>>;
let beta: Awaited<ReturnType<typeof createTestOrgWithSource>>;
let product: { readonly id: string };

const releases = [{ title: 'One', version: '1.0.0', publishedAt: '2026-01-01T00:00:00.000Z' }];
const send = (source: { readonly id: string }) =>
  service.post(`/v1/sources/${source.id}/releases/batch`, { releases }, { key: rootApiKey });

beforeAll(async () => {
  service = await startHttpService();
  [acme, beta] = [await createTestOrgWithSource(service, 'Acme'), await createTestOrgWithSource(service, 'Beta')];
  product = await service.create('/v1/products', { name: 'Rocket', orgId: acme.org.id });
  await service.patch(`/v1/sources/${acme.source.id}`, { productId: product.id });
  for (const { source } of [acme, beta]) await send(source);
  const nowMs = Date.now();
  const leftMs = dayMs - (nowMs % dayMs);
  startMs = leftMs < 15 * minuteMs ? nowMs + leftMs : nowMs; // midnight ends all answers
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => service.close());

const setNow = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms });
const cacheOf = async (path: string) => (await service.get(path)).headers.get('x-cache');

it('answers that tell of contacts are kept for as long as a client may keep them', async () => {
  const aboutEntities = [
    `/v1/orgs/${acme.org.id}`,
    `/v1/sources/${acme.source.id}`,
    '/v1/sources',
    `/v1/products/${product.id}`,
  ];
  const caches = async (ageMs: number) => {
    setNow(startMs + ageMs);
    const [stats, ...others] = await Promise.all(['/v1/stats', ...aboutEntities].map(cacheOf));
    return [stats, ...new Set(others)];
  };
  expect(await caches(0)).toEqual(['MISS', 'MISS']);
  for (const ageMs of [0, 2_000, minuteMs - 1]) expect(await caches(ageMs)).toEqual(['HIT', 'HIT']);
  expect(await caches(minuteMs)).toEqual(['HIT', 'MISS']);
  expect((await caches(5 * minuteMs - 1))[0]).toBe('HIT');
  expect((await caches(5 * minuteMs))[0]).toBe('MISS');
});

it('a contact is told of at once by the answers about its source, and makes no other old', async () => {
  setNow(startMs + 10 * minuteMs);
  const about = ({ org, source }: typeof acme) => [`/v1/orgs/${org.id}`, `/v1/sources/${source.id}`];
  const caches = async () => Promise.all([...about(acme), ...about(beta)].map(cacheOf));
  await caches();
  expect(await caches()).toEqual(['HIT', 'HIT', 'HIT', 'HIT']);
  const sentMs = startMs + 10 * minuteMs + 5_000;
  setNow(sentMs);
  expect((await send(acme.source)).body).toMatchObject({ inserted: 0 }); // no read model is written
  const { body, headers } = await service.get(`/v1/sources/${acme.source.id}`);
  expect([headers.get('x-cache'), Date.parse(body.lastFetchedAt)]).toEqual(['MISS', sentMs]);
  expect((await service.get(`/v1/orgs/${acme.org.id}`)).body.lastFetchedAt).toBe(body.lastFetchedAt);
  expect(await caches()).toEqual(['HIT', 'HIT', 'HIT', 'HIT']);
});
