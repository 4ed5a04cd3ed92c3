import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestOrgWithSource, createTestSource, issueTestTokens } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';

let service: HttpService;
let admin: string;
let source: { id: string };

beforeAll(async () => {
  service = await startHttpService();
  ({ admin } = await issueTestTokens(service));
  ({ source } = await createTestOrgWithSource(service, 'Weekly'));
  await createTestSource(service, 'Quiet', { orgSlug: 'weekly' });
  const dated = (version: string, publishedAt: string, fields = {}) => ({
    title: version,
    version,
    publishedAt,
    ...fields,
  });
  await ingestInto(service, source.id, [
    dated('1.0.0', '2026-03-01T23:59:59.999Z'), // a Sunday
    dated('1.1.0-rc.1', '2026-03-02'),
    dated('1.1.0', '2026-03-04'),
    dated('1.1.1', '2026-03-08T23:59:59.999Z'),
    dated('1.2.0-rc.1', '2026-03-09'),
    { title: 'Whenever' },
    dated('9.0.0', '2999-01-01'),
  ]);
});
afterAll(() => service.close());

const weeks = [
  { weekStart: '2026-02-23', count: 1, earliestVersion: '1.0.0', latestVersion: '1.0.0' },
  { weekStart: '2026-03-02', count: 3, earliestVersion: '1.1.0', latestVersion: '1.1.1' },
  { weekStart: '2026-03-09', count: 1, earliestVersion: null, latestVersion: null },
];
const codeOf = async (path: string) => {
  const { status, body } = await service.get(path);
  return [status, body.error.code, body.error.details?.parameter ?? body.error.details?.parameters];
};
const twins = ['/v1/sources/weekly/activity', '/v1/orgs/weekly/sources/weekly/activity'];
const everywhere = [...twins, '/v1/orgs/weekly/activity'];

describe('the activity of a source', () => {
  it.each(twins)('counts all dated releases by the weeks that begin on a Monday: %s', async (path) => {
    const { body, headers } = await service.get(path);
    expect(body).toEqual({
      source: { slug: 'weekly', name: 'Weekly', orgSlug: 'weekly', orgName: 'Weekly' },
      range: { from: '2026-03-01', to: '2026-03-09' },
      releaseCount: 5,
      avgReleasesPerWeek: 3.9,
      weeklyBuckets: weeks,
    });
    expect(headers.get('cache-control')).toBe('public, max-age=120, stale-while-revalidate=60');
  });

  it('is of whole days, both included, and an end that is not sent gives way to the other', async () => {
    const shownOf = async (query: string) => {
      const { body } = await service.get(`${twins[0]}?${query}`);
      return [body.range.from, body.range.to, body.releaseCount];
    };
    expect(await shownOf('from=2026-03-02&to=2026-03-08')).toEqual(['2026-03-02', '2026-03-08', 3]);
    expect(await shownOf('from=2026-03-02')).toEqual(['2026-03-02', '2026-03-09', 4]);
    expect(await shownOf('to=2026-03-01&from=')).toEqual(['2026-03-01', '2026-03-01', 1]);
    expect(await shownOf('from=2026-04-01')).toEqual(['2026-04-01', '2026-04-01', 0]);
    expect(await shownOf('to=2026-02-01')).toEqual(['2026-02-01', '2026-02-01', 0]);
    expect(await shownOf('from=2999-01-01&to=2999-01-02')).toEqual(['2999-01-01', '2999-01-02', 0]);
  });

  it('has nothing but today without releases', async () => {
    const { body } = await service.get('/v1/sources/quiet/activity');
    const today = new Date().toISOString().slice(0, 10);
    expect(body).toMatchObject({ releaseCount: 0, avgReleasesPerWeek: 0, weeklyBuckets: [] });
    expect([body.range.from, body.range.to]).toEqual([body.range.to, body.range.to]);
    expect(body.range.to <= today).toBe(true);
  });
});

describe('the activity of an org', () => {
  it('shows every source by name, and their weeks together', async () => {
    const { body } = await service.get('/v1/orgs/weekly/activity');
    expect(body).toEqual({
      org: { slug: 'weekly', name: 'Weekly' },
      range: { from: '2026-03-01', to: '2026-03-09' },
      sources: [
        {
          slug: 'quiet',
          name: 'Quiet',
          releaseCount: 0,
          avgReleasesPerWeek: 0,
          earliestVersion: null,
          latestVersion: null,
          latestDate: null,
          weeklyBuckets: [],
        },
        {
          slug: 'weekly',
          name: 'Weekly',
          releaseCount: 5,
          avgReleasesPerWeek: 3.9,
          earliestVersion: '1.0.0',
          latestVersion: '1.1.1',
          latestDate: '2026-03-08T23:59:59.999Z',
          weeklyBuckets: weeks,
        },
      ],
      aggregateWeekly: weeks.map(({ weekStart, count }) => ({ weekStart, count })),
    });
  });

  it('leaves hidden sources out, and is itself not found when hidden or deleted', async () => {
    const org = await createTestOrg(service, 'Veiled');
    const hidden = await createTestSource(service, 'Veiled', { orgId: org.id });
    await service.patch(`/v1/sources/${hidden.id}`, { isHidden: true });
    expect((await service.get('/v1/orgs/veiled/activity')).body.sources).toEqual([]);
    expect(await codeOf(`/v1/sources/${hidden.id}/activity`)).toEqual([404, 'not_found', undefined]);
    expect((await service.get(`/v1/sources/${hidden.id}/activity`, { key: admin })).status).toBe(200);
    await service.patch('/v1/orgs/veiled', { isHidden: true });
    expect(await codeOf('/v1/orgs/veiled/activity')).toEqual([404, 'not_found', undefined]);
    expect((await service.get('/v1/orgs/veiled/activity', { key: admin })).status).toBe(200);
    await service.remove('/v1/orgs/veiled');
    expect((await service.get('/v1/orgs/veiled/activity', { key: admin })).status).toBe(404);
  });
});

describe('activity refuses', () => {
  const noDays = [
    '7d',
    '2026-02-30',
    '2026-3-1',
    '2026-03-01T00:00:00Z',
    '20260301',
    '1969-12-31',
    'today',
    'x'.repeat(10_000),
  ];

  it.each(everywhere)('what is no day, before it looks for anything: %s', async (path) => {
    for (const name of ['from', 'to']) {
      for (const value of noDays) {
        expect(await codeOf(`${path}?${name}=${value}`), value).toEqual([400, 'invalid_parameter', name]);
        expect((await codeOf(`${path.replace(/weekly/g, 'nobody')}?${name}=${value}`))[0]).toBe(400);
      }
      expect(await codeOf(`${path}?${name}=2026-03-0%001`)).toEqual([400, 'invalid_parameter', name]);
      const twice = `${path}?${name}=2026-03-01&${name}=2026-03-01`;
      expect(await codeOf(twice)).toEqual([400, 'invalid_parameter', name]);
    }
  });

  it.each(everywhere)('an end before its beginning: %s', async (path) => {
    const wrong = `${path}?from=2026-03-02&to=2026-03-01`;
    expect(await codeOf(wrong)).toEqual([400, 'conflicting_parameters', ['from', 'to']]);
    expect((await service.get(`${path}?from=2026-03-01&to=2026-03-01`)).status).toBe(200);
  });

  it('what is not there, and a slug that several have', async () => {
    expect(await codeOf('/v1/orgs/nobody/activity')).toEqual([404, 'not_found', undefined]);
    expect(await codeOf('/v1/sources/nobody/activity')).toEqual([404, 'not_found', undefined]);
    expect(await codeOf('/v1/orgs/weekly/sources/nobody/activity')).toEqual([404, 'not_found', undefined]);
    await createTestSource(service, 'Quiet');
    expect(await codeOf('/v1/sources/quiet/activity')).toEqual([409, 'ambiguous_slug', undefined]);
  });
});
