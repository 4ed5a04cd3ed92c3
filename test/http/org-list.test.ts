import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';
import { issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let writer: string;
let reader: string;
let admin: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ reader, writer, admin } = await issueTestTokens(service));
});
afterAll(() => service.close());

const slugsOf = (answer: { body: { items: { slug: string }[] } }) => answer.body.items.map(({ slug }) => slug);

/** An org with one source and one release, so that lists show it. */
async function createBusyOrg(fields: Record<string, unknown>, publishedAt = '2026-01-02T00:00:00Z') {
  const { body: org } = await service.post('/v1/orgs', fields);
  const { body: source } = await service.post('/v1/sources', {
    name: 'Blog',
    url: `https://blog.example/${org.id}`,
    orgId: org.id,
  });
  await ingestInto(service, source.id, [{ title: 'First', version: '1.0.0', publishedAt }]);
  return { org, source };
}

describe('the list of orgs', () => {
  it('shows orgs with releases by name, all with includeEmpty, and counts the empty ones', async () => {
    await createBusyOrg({ name: 'list-b busy', category: 'ai' });
    await createBusyOrg({ name: 'List-A busy', category: 'ai', featured: true });
    await service.post('/v1/orgs', { name: 'list-c empty', category: 'ai' });
    const { body } = await service.get('/v1/orgs?q=LIST-&category=ai');
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['List-A busy', 'list-b busy']);
    expect(body.pagination).toEqual({
      page: 1,
      pageSize: 500,
      returned: 2,
      totalItems: 2,
      totalPages: 1,
      hasMore: false,
    });
    expect(body.meta).toEqual({ emptyOrgCount: 1 });
    expect(body.items[0]).toMatchObject({ status: 'tracked', aliasDomains: [], sourceCount: 1, releaseCount: 1 });
    expect(body.items[0]).not.toHaveProperty('trackingRequestedAt');
    expect(slugsOf(await service.get('/v1/orgs?q=list-&includeEmpty=TRUE'))).toHaveLength(3);
    expect(slugsOf(await service.get('/v1/orgs?q=list-&featured=true'))).toEqual(['list-a-busy']);
    expect(slugsOf(await service.get('/v1/orgs?q=list-&featured=false'))).toHaveLength(2);
    expect(slugsOf(await service.get('/v1/orgs?q=list-&category=crm'))).toEqual([]);
    // The number is scoped by the category, not by what else is asked for.
    expect((await service.get('/v1/orgs?q=nothing&category=ai&featured=1')).body.meta.emptyOrgCount).toBe(1);
  });

  it('ignores a category that is not known, an unknown and a blank parameter', async () => {
    const all = slugsOf(await service.get('/v1/orgs?q=list-'));
    expect(slugsOf(await service.get('/v1/orgs?q=list-&category=cooking&colour=red&page='))).toEqual(all);
  });

  it('is cut into pages, empty past the end, with at most 500 each', async () => {
    const second = await service.get('/v1/orgs?q=list-&includeEmpty=1&limit=2&page=2');
    expect(slugsOf(second)).toEqual(['list-c-empty']);
    expect(second.body.pagination).toMatchObject({ page: 2, pageSize: 2, returned: 1, totalPages: 2, hasMore: false });
    const past = await service.get('/v1/orgs?q=list-&page=999999');
    expect(past.body.items).toEqual([]);
    expect((await service.get('/v1/orgs?limit=100000')).body.pagination.pageSize).toBe(500);
  });

  it.each([
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['includeEmpty=yes', 'includeEmpty'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['q=a&q=b', 'q'],
    ['q=%00', 'q'],
  ])('refuses %.20s', async (search, parameter) => {
    const { status, body } = await service.get(`/v1/orgs?${search}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_parameter', details: { parameter } });
  });

  it('tells tracking requests to admins only, and only for 1', async () => {
    for (const key of [null, reader, writer, 'nonsense']) {
      for (const value of ['1', '0', 'whatever']) {
        const { status, body } = await service.get(`/v1/orgs?trackingRequested=${value}`, { key });
        expect(status).toBe(403);
        expect(body.error).toMatchObject({ code: 'forbidden', details: { option: 'trackingRequested' } });
      }
    }
    const wrong = await service.get('/v1/orgs?trackingRequested=true', { key: admin });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error.details).toMatchObject({ parameter: 'trackingRequested', allowed: ['1'] });
    const right = await service.get('/v1/orgs?trackingRequested=1&includeEmpty=1&category=ai', { key: admin });
    expect(right.body.items).toEqual([]);
    expect(right.body.pagination).toMatchObject({ page: 1, totalItems: 0, totalPages: 1 });
    expect(right.body.meta).toEqual({ emptyOrgCount: 1 });
  });

  it('shows hidden orgs to admins who ask for them', async () => {
    const { org } = await createBusyOrg({ name: 'Veiled busy' });
    await service.patch(`/v1/orgs/${org.id}`, { isHidden: true });
    expect(slugsOf(await service.get('/v1/orgs?q=veiled'))).toEqual([]);
    expect(slugsOf(await service.get('/v1/orgs?q=veiled', { key: admin }))).toEqual([]);
    expect(slugsOf(await service.get('/v1/orgs?q=veiled&include_hidden=true', { key: admin }))).toEqual([
      'veiled-busy',
    ]);
    const { status, body } = await service.get('/v1/orgs?include_hidden=true', { key: writer });
    expect(status).toBe(403);
    expect(body.error.details).toEqual({ option: 'include_hidden' });
  });
});
