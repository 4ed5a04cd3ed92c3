import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg } from '../spec/http/preamble.ts';

let service: HttpService;
let firstId: string;

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const latest = (search = '', options = {}) => service.get(`/v1/releases/latest${search}`, options);
const titles = async (search = '') => {
  const { status, body } = await latest(search);
  expect(status, search).toBe(200);
  return body.releases.map(({ title }: { title: string }) => title);
};

/** A source of the org with releases `[title, fields]`, given without a content. */
async function addSource(orgId: string | null, name: string, type: string, releases: readonly [string, object][]) {
  const url = `https://example.com/${name.toLowerCase()}`;
  const source = await service.create('/v1/sources', { name, type, url, ...(orgId !== null && { orgId }) });
  const items = releases.map(([title, fields]) => ({ title, content: `About ${title}.`, ...fields }));
  const { status, text } = await service.post(`/v1/sources/${source.id}/releases/batch`, { releases: items });
  expect(status, text).toBe(200);
  return source;
}

beforeAll(async () => {
  service = await startHttpService();
  const first = await createTestOrg(service, 'First', { domain: 'first.example' });
  const second = await createTestOrg(service, 'Second');
  firstId = first.id;
  await addSource(first.id, 'Blog', 'feed', [
    ['Blog 1', { publishedAt: '2026-01-01T00:00:00Z', importance: 2 }],
    ['Blog 2', { publishedAt: '2026-01-04T12:00:00Z', importance: 5 }],
    ['Blog undated', { summary: 'No date' }],
  ]);
  await addSource(first.id, 'Code', 'github', [
    ['Code 1', { publishedAt: '2026-01-03T00:00:00Z', version: '1.0.0' }],
    ['Code 2-rc', { publishedAt: '2026-01-05T00:00:00Z', version: '2.0.0-rc.1' }],
  ]);
  await addSource(second.id, 'Blog', 'feed', [['Other blog', { publishedAt: '2026-01-02T00:00:00Z', importance: 4 }]]);
  const hidden = await addSource(null, 'Hidden', 'feed', [['Hidden', { publishedAt: '2026-01-06T00:00:00Z' }]]);
  expect((await service.patch(`/v1/sources/${hidden.id}`, { isHidden: true })).status).toBe(200);
});
afterAll(() => service.close());

describe('the newest releases', () => {
  it('are dated first, the newest before, without content, prereleases and what is hidden', async () => {
    expect(await titles()).toEqual(['Blog 2', 'Code 1', 'Other blog', 'Blog 1', 'Blog undated']);
    const { body, headers } = await latest();
    expect(Object.keys(body)).toEqual(['releases']);
    for (const release of body.releases) expect(release).not.toHaveProperty('content');
    expect(body.releases[4].summary).toBe('No date');
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
  });

  it.each([
    ['?count=2', ['Blog 2', 'Code 1']],
    ['?count=100000000000000000000&org=second', ['Other blog']],
    ['?org=first', ['Blog 2', 'Code 1', 'Blog 1', 'Blog undated']],
    ['?org=FIRST.example&count=1', ['Blog 2']],
    ['?source=code', ['Code 1']],
    ['?source=code&include_prereleases=TRUE', ['Code 2-rc', 'Code 1']],
    ['?exclude=feed', ['Code 1']],
    ['?exclude=feed,github', []],
    ['?minImportance=4', ['Blog 2', 'Other blog']],
    ['?since=2026-01-03', ['Blog 2', 'Code 1']],
    ['?since=2026-01-02&until=2026-01-03', ['Code 1', 'Other blog']],
    ['?until=2026-01-01', ['Blog 1']],
    ['?org=&source=&unknown=1&count=1', ['Blog 2']],
  ])('%s', async (search, expected) => {
    expect(await titles(search)).toEqual(expected);
  });

  it('take any identifier of an org', async () => {
    expect(await titles(`?org=${firstId}&count=1`)).toEqual(['Blog 2']);
  });

  it.each([
    ['?count=0', 'count'],
    ['?count=-1', 'count'],
    ['?count=1.5', 'count'],
    ['?count=ten', 'count'],
    ['?count=1&count=1', 'count'],
    ['?include_coverage=maybe', 'include_coverage'],
    ['?include_prereleases=constructor', 'include_prereleases'],
    ['?minImportance=0', 'minImportance'],
    ['?minImportance=6', 'minImportance'],
    ['?since=2026-02-30', 'since'],
    ['?until=2026-01-01T00:00:00', 'until'],
    ['?since=7', 'since'],
    ['?source=a%00b', 'source'],
  ])('refuse %s', async (search, parameter) => {
    const answer = await latest(search);
    expect(codeOf(answer)).toEqual([400, 'invalid_parameter']);
    expect(answer.body.error.details).toMatchObject({ parameter, reason: expect.any(String) });
  });

  it('name the source types that can be left out', async () => {
    const answer = await latest('?exclude=feed,rss');
    expect(codeOf(answer)).toEqual([400, 'invalid_parameter']);
    expect(answer.body.error.details).toMatchObject({
      parameter: 'exclude',
      allowed: ['github', 'scrape', 'feed', 'agent', 'appstore', 'video'],
    });
  });

  it('refuse what contradicts itself', async () => {
    const both = await latest('?source=code&org=first');
    expect(codeOf(both)).toEqual([400, 'conflicting_parameters']);
    expect(both.body.error.details.parameters).toEqual(['source', 'org']);
    const turned = await latest('?since=2026-02-01&until=2026-01-01');
    expect(codeOf(turned)).toEqual([400, 'conflicting_parameters']);
    expect(turned.body.error.details.parameters).toEqual(['since', 'until']);
  });

  it('know no source or org that is not there, and none of two with one slug', async () => {
    for (const [search, entity] of [
      ['?source=nobody', 'source'],
      ['?source=hidden', 'source'],
      ['?org=nobody', 'org'],
    ]) {
      const answer = await latest(search);
      expect(codeOf(answer)).toEqual([404, 'not_found']);
      expect(answer.body.error.details).toEqual({ entity });
    }
    expect(codeOf(await latest('?source=blog'))).toEqual([409, 'ambiguous_slug']);
  });

  it('show an admin the hidden source that is named', async () => {
    const { status, body } = await latest('?source=hidden', { key: rootApiKey });
    expect([status, body.releases.length]).toEqual([200, 1]);
  });
});

describe('X-Cache', () => {
  it.each([
    ['?count=11', 'BYPASS'],
    ['?include_coverage=true', 'BYPASS'],
    ['?org=first', 'BYPASS'],
    ['?source=code', 'BYPASS'],
    ['?since=1y', 'BYPASS'],
    ['?until=2026-01-01', 'BYPASS'],
    ['?include_prereleases=true', 'BYPASS'],
    ['?exclude=feed', 'BYPASS'],
    ['?minImportance=1', 'BYPASS'],
  ])('of %s is %s', async (search, expected) => {
    expect((await latest(search)).headers.get('x-cache')).toBe(expected);
  });

  it('is MISS, then HIT, for what everybody asks, however it is written', async () => {
    await service.patch('/v1/orgs/first', { description: 'Changed, so that nothing is kept' });
    const first = await latest();
    expect(first.headers.get('x-cache')).toBe('MISS');
    for (const search of ['', '?count=10&include_coverage=false', '?unknown=1&source=']) {
      const again = await latest(search);
      expect([again.headers.get('x-cache'), again.text], search).toEqual(['HIT', first.text]);
    }
  });

  it('is MISS again after a change, which shows at once', async () => {
    await latest();
    await service.patch('/v1/orgs/first', { name: 'Renamed' });
    const changed = await latest();
    expect(changed.headers.get('x-cache')).toBe('MISS');
    const names = changed.body.releases.map(({ org }: { org: { name: string } | null }) => org?.name);
    expect(names).toContain('Renamed');
    expect((await latest()).headers.get('x-cache')).toBe('HIT');
  });

  it('is BYPASS for a reader that waits for a position', async () => {
    const answer = await latest('', { headers: { 'x-service-min-position': '1' } });
    expect(answer.headers.get('x-cache')).toBe('BYPASS');
  });
});
