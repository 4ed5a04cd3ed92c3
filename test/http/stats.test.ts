import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource } from '../spec/http/preamble.ts';

let service: HttpService;
let acme: { id: string };

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const stats = async (search = '') => {
  const { status, body, text } = await service.get(`/v1/stats${search}`);
  expect(status, text).toBe(200);
  return body;
};
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code, body.error.details.parameter];
const ingest = async (sourceId: string, releases: readonly object[]) => {
  const { status, text } = await service.post(`/v1/sources/${sourceId}/releases/batch`, { releases });
  expect(status, text).toBe(200);
};

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

it('of an empty registry is nothing', async () => {
  const body = await stats();
  expect(body).toEqual({
    orgs: 0,
    sources: 0,
    releases: 0,
    products: 0,
    period: { days: 30, cutoff: expect.stringMatching(/\.\d{3}Z$/) },
    totals: { organizations: 0, sources: 0, releases: 0, releasesInPeriod: 0 },
    sourceHealth: { upToDate: 0, stale: 0, neverFetched: 0 },
    sourceActivity: [],
    recentActivity: [],
  });
  expect(Date.now() - Date.parse(body.period.cutoff) - 30 * dayMs).toBeGreaterThanOrEqual(0);
});

describe('the stats', () => {
  let blog: { id: string };

  beforeAll(async () => {
    acme = await createTestOrg(service, 'Acme');
    await createTestOrg(service, 'Empty');
    await service.create('/v1/products', { name: 'Rocket', orgId: acme.id });
    blog = await createTestSource(service, 'Blog', { orgId: acme.id, type: 'feed' });
    const code = await createTestSource(service, 'code', { orgId: acme.id });
    await createTestSource(service, 'Alone');
    const shy = await createTestSource(service, 'Shy', { isHidden: true });
    await ingest(blog.id, [
      { title: 'Old', publishedAt: daysAgo(40) },
      { title: 'New', publishedAt: daysAgo(2) },
      { title: 'Undated' },
      { title: 'Ahead', publishedAt: '2199-01-01' },
    ]);
    await ingest(code.id, [
      { title: 'One', publishedAt: daysAgo(3), prerelease: true },
      { title: 'Two', publishedAt: daysAgo(4) },
    ]);
    await ingest(shy.id, [{ title: 'Hidden', publishedAt: daysAgo(1) }]);
  });

  it('count what everybody sees', async () => {
    const { headers } = await service.get('/v1/stats');
    expect(headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=60');
    const { recentActivity: _, ...body } = await stats();
    expect(body).toMatchObject({
      orgs: 2,
      sources: 3,
      releases: 5,
      products: 1,
      totals: { organizations: 2, sources: 3, releases: 5, releasesInPeriod: 3 },
      sourceHealth: { upToDate: 2, stale: 0, neverFetched: 1 },
      sourceActivity: [
        { sourceName: 'code', sourceSlug: 'code', totalReleases: 2, recentReleases: 2 },
        { sourceName: 'Blog', sourceType: 'feed', orgName: 'Acme', totalReleases: 3, recentReleases: 1 },
        { sourceName: 'Alone', orgName: null, lastFetchedAt: null, totalReleases: 0, recentReleases: 0 },
      ],
    });
    expect((await stats('?days=1')).totals).toMatchObject({ releases: 5, releasesInPeriod: 0 });
    expect((await stats('?days=365')).totals.releasesInPeriod).toBe(4);
  });

  it('tell of the newest contacts, of what everybody sees', async () => {
    const { recentActivity } = await stats();
    expect(recentActivity).toEqual([
      {
        sourceName: 'code',
        sourceSlug: 'code',
        orgName: 'Acme',
        releasesFound: 2,
        releasesInserted: 2,
        totalReleases: 2,
        status: 'success',
        durationMs: expect.any(Number),
        error: null,
        createdAt: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ sourceName: 'Blog', releasesFound: 4, releasesInserted: 4, totalReleases: 3 }),
    ]);
    for (let time = 0; time < 25; time += 1) await ingest(blog.id, [{ title: 'New', publishedAt: daysAgo(2) }]);
    const after = (await stats()).recentActivity;
    expect(after).toHaveLength(20);
    expect(after[0]).toMatchObject({ sourceName: 'Blog', releasesFound: 1, releasesInserted: 0 });
    const times = after.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  describe('after it was hidden', () => {
    beforeEach(async () => {
      await service.patch(`/v1/orgs/${acme.id}`, { isHidden: true });
    });

    it('leave out all of an org', async () => {
      expect(await stats()).toMatchObject({
        orgs: 1,
        sources: 1,
        releases: 0,
        products: 0,
        sourceHealth: { upToDate: 0, stale: 0, neverFetched: 1 },
        sourceActivity: [{ sourceName: 'Alone' }],
        recentActivity: [],
      });
      await service.patch(`/v1/orgs/${acme.id}`, { isHidden: false });
      expect(await stats()).toMatchObject({ orgs: 2, sources: 3, products: 1 });
    });
  });

  it.each(['days=0', 'days=-1', 'days=1.5', 'days=x', 'days=1&days=2', 'days=%00', `days=${'a'.repeat(9_000)}`])(
    'refuse %.20s',
    async (search) => {
      expect(codeOf(await service.get(`/v1/stats?${search}`))).toEqual([400, 'invalid_parameter', 'days']);
    },
  );

  it('take a blank as the default and clamp what is too much', async () => {
    expect((await stats('?days=')).period.days).toBe(30);
    for (const days of ['36501', '9'.repeat(400)]) expect((await stats(`?days=${days}`)).period.days).toBe(36_500);
    expect((await stats('?days=36500')).totals.releasesInPeriod).toBe(4);
  });
});
