import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestReleases, createTestSource, issueTestTokens } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';

let service: HttpService;
let admin: string;
let source: { id: string };
/** The newest first. */
let stable: string[];
let all: string[];

beforeAll(async () => {
  service = await startHttpService();
  ({ admin } = await issueTestTokens(service));
  // Every third one is a prerelease, and each three share their date, so that ids decide.
  const made = await createTestReleases(service, 'Paged', 30, (index) => ({
    version: index % 3 === 0 ? `1.${index}.0-rc.1` : `1.${index}.0`,
    publishedAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3))).toISOString(),
  }));
  source = made.source;
  await ingestInto(service, source.id, [{ title: 'Undated one' }, { title: 'Undated two' }]);
  const { body } = await service.get('/v1/sources/paged/releases?limit=100&include_prereleases=true');
  all = idsOf(body);
  stable = idsOf((await service.get('/v1/sources/paged/releases?limit=100')).body);
  expect([all.length, stable.length]).toEqual([32, 22]);
});
afterAll(() => service.close());

const idsOf = (body: { releases: { id: string }[] }) => body.releases.map(({ id }) => id);
const codeOf = async (path: string) => {
  const { status, body } = await service.get(path);
  return [status, body.error?.code, body.error?.details?.parameter ?? body.error?.details?.parameters];
};

describe('the bare detail of a source', () => {
  it('is the same as below its org, by slug and by id', async () => {
    const { body: below } = await service.get('/v1/orgs/paged/sources/paged');
    const { pagination: cursorOnly, ...rest } = below;
    for (const name of ['paged', source.id]) {
      const { body, headers } = await service.get(`/v1/sources/${name}`);
      const { pagination, ...others } = body;
      expect(others).toEqual(rest);
      expect(pagination).toEqual({
        page: 1,
        pageSize: 20,
        returned: 20,
        totalItems: 22,
        totalPages: 2,
        hasMore: true,
        ...cursorOnly,
      });
      expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    }
  });

  it.each([1, 4, 5, 7, 100])('has pages by number, of %i', async (pageSize) => {
    for (const [query, expected] of [
      ['', stable],
      ['&include_prereleases=true', all],
    ] as const) {
      for (let page = 1; (page - 1) * pageSize < expected.length + pageSize; page += 1) {
        const { body } = await service.get(`/v1/sources/paged?page=${page}&pageSize=${pageSize}${query}`);
        expect(idsOf(body)).toEqual(expected.slice((page - 1) * pageSize, page * pageSize));
        expect(body.pagination).toMatchObject({ page, pageSize, limit: pageSize, totalItems: expected.length });
      }
    }
  });

  it('is followed by cursor from any page, on either path', async () => {
    const { body } = await service.get('/v1/sources/paged?page=2&pageSize=4');
    const { nextCursor } = body.pagination;
    for (const path of ['/v1/sources/paged', '/v1/orgs/paged/sources/paged', '/v1/sources/paged/releases']) {
      const next = await service.get(`${path}?cursor=${nextCursor}&limit=3`);
      expect(idsOf(next.body)).toEqual(stable.slice(8, 11));
      expect(next.body.pagination).toEqual({ nextCursor: expect.any(String), limit: 3 });
    }
    const { body: last } = await service.get('/v1/sources/paged?page=6&pageSize=4');
    expect(last.pagination).toMatchObject({ returned: 2, hasMore: false, nextCursor: null });
    const other = `/v1/sources/paged?cursor=${nextCursor}&include_prereleases=true`;
    expect(await codeOf(other)).toEqual([400, 'invalid_cursor', undefined]);
  });

  it('begins with as many as `limit` says where no page size is sent', async () => {
    const { body } = await service.get('/v1/sources/paged?limit=3');
    expect(body.pagination).toMatchObject({ page: 1, pageSize: 3, limit: 3, returned: 3, totalPages: 8 });
    const { body: larger } = await service.get('/v1/sources/paged?pageSize=1000000');
    expect(larger.pagination).toMatchObject({ pageSize: 100, returned: 22 });
  });

  it('shows what covers others on request, in its place', async () => {
    const [canonical, covering] = [stable[0]!, stable[5]!];
    await service.create(`/v1/releases/${canonical}/coverage`, { coverageIds: [covering] });
    const pageOf = async (query: string) => (await service.get(`/v1/sources/paged?${query}`)).body;
    const without = await pageOf('page=2&pageSize=3');
    expect(idsOf(without)).toEqual(stable.filter((id) => id !== covering).slice(3, 6));
    expect(without.pagination.totalItems).toBe(21);
    const withCoverage = await pageOf('page=2&pageSize=3&include_coverage=true');
    expect(idsOf(withCoverage)).toEqual(stable.slice(3, 6));
    expect(withCoverage.pagination.totalItems).toBe(22);
  });
});

describe('the bare detail of a source refuses', () => {
  it('a cursor together with a number or a size', async () => {
    const { body } = await service.get('/v1/sources/paged?limit=2');
    const cursor = `cursor=${body.pagination.nextCursor}`;
    const conflict = (name: string) => [400, 'conflicting_parameters', ['cursor', name]];
    expect(await codeOf(`/v1/sources/paged?${cursor}&page=1`)).toEqual(conflict('page'));
    expect(await codeOf(`/v1/sources/paged?${cursor}&pageSize=5`)).toEqual(conflict('pageSize'));
    expect(await codeOf('/v1/sources/nobody?cursor=x&page=1')).toEqual(conflict('page'));
    expect(await codeOf('/v1/sources/nobody?cursor=x&pageSize=5')).toEqual(conflict('pageSize'));
    expect((await service.get(`/v1/sources/paged?${cursor}&page=&pageSize=`)).status).toBe(200);
  });

  it.each(['page', 'pageSize', 'limit'])('a wrong %s', async (name) => {
    for (const value of ['0', '-1', '1.5', 'two', '1e2', '%2010', '1%00', 'x'.repeat(10_000)]) {
      expect(await codeOf(`/v1/sources/paged?${name}=${value}`), value).toEqual([400, 'invalid_parameter', name]);
    }
    expect(await codeOf(`/v1/sources/paged?${name}=1&${name}=1`)).toEqual([400, 'invalid_parameter', name]);
    expect((await service.get(`/v1/sources/paged?${name}=`)).status).toBe(200);
    expect((await service.get(`/v1/sources/paged?${name}=9${'9'.repeat(300)}`)).status).toBe(200);
  });

  it('what is no cursor of it, what is not there, and a slug that several have', async () => {
    for (const cursor of ['x', 'x'.repeat(10_000)]) {
      expect(await codeOf(`/v1/sources/paged?cursor=${cursor}`)).toEqual([400, 'invalid_cursor', undefined]);
    }
    expect(await codeOf('/v1/sources/nobody')).toEqual([404, 'not_found', undefined]);
    expect(await codeOf('/v1/sources/src_000000000000000000000')).toEqual([404, 'not_found', undefined]);
    const twin = await createTestSource(service, 'Paged');
    const shared = await service.get('/v1/sources/paged');
    expect(shared.body.error).toMatchObject({ code: 'ambiguous_slug', details: { entity: 'source', slug: 'paged' } });
    expect(shared.body.error.details.candidates.map(({ id }: { id: string }) => id)).toEqual([twin.id, source.id]);
    await service.patch(`/v1/sources/${twin.id}`, { isHidden: true });
    expect((await service.get('/v1/sources/paged')).body.id).toBe(source.id);
    expect(await codeOf(`/v1/sources/${twin.id}`)).toEqual([404, 'not_found', undefined]);
    expect((await service.get(`/v1/sources/${twin.id}`, { key: admin })).body.isHidden).toBe(true);
    await service.remove(`/v1/sources/${twin.id}`);
    expect((await service.get(`/v1/sources/${twin.id}`, { key: admin })).status).toBe(404);
  });
});
