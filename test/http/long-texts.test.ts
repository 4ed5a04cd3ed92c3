import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestReleases } from '../spec/http/preamble.ts';

// Eight of these texts are as much as a page may have.
const count = 11;
const text = (index: number) => `${index} ${'x'.repeat(999_990)}`;

let service: HttpService;
/** The newest first. */
let titles: string[];

beforeAll(async () => {
  service = await startHttpService();
  const { items } = await createTestReleases(service, 'Long', count, (index) => ({ content: text(index) }));
  titles = items.map(({ title }) => title).reverse();
});
afterAll(() => service.close());

const titlesOf = (body: { releases: { title: string }[] }) => body.releases.map(({ title }) => title);

describe('a page of long texts is short, and its cursor goes on', () => {
  it.each(['', 'asOf'])('of an org %s', async (asOf) => {
    const moment = new Date().toISOString();
    await eventually('the moment has passed', () => Date.now() > Date.parse(moment));
    const path = `/v1/orgs/long/releases?limit=${count}${asOf && `&asOf=${moment}`}`;
    const first = await service.get(path);
    expect(titlesOf(first.body)).toEqual(titles.slice(0, 8));
    const { nextCursor } = first.body.pagination;
    const second = await service.get(`${path}&cursor=${nextCursor}`);
    expect(titlesOf(second.body)).toEqual(titles.slice(8));
    expect(second.body.pagination.nextCursor).toBeNull();
  });

  it('of a source by its number, which says that there is more', async () => {
    const { body } = await service.get(`/v1/sources/long?pageSize=${count}`);
    expect(titlesOf(body)).toEqual(titles.slice(0, 8));
    const { nextCursor, ...pagination } = body.pagination;
    expect(pagination).toEqual({
      page: 1,
      pageSize: count,
      returned: 8,
      totalItems: count,
      totalPages: 1,
      hasMore: true,
      limit: count,
    });
    const rest = await service.get(`/v1/sources/long?limit=${count}&cursor=${nextCursor}`);
    expect(titlesOf(rest.body)).toEqual(titles.slice(8));
    expect(rest.body.pagination).toEqual({ nextCursor: null, limit: count });
  });
});
