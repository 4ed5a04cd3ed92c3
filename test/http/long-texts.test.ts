import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { parseAtom } from '../spec/forms/parse-atom.ts';
import { createTestReleases, createTestSource } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';

// Eight of these texts are as much as a page may have.
const count = 11;
const text = (index: number) => `${index} ${'x'.repeat(999_990)}`;

let service: HttpService;
/** The newest first. */
let titles: string[];
let headlines: string[];

beforeAll(async () => {
  service = await startHttpService();
  const { org, source, items } = await createTestReleases(service, 'Long', count, (index) => ({
    content: text(index),
  }));
  titles = items.map(({ title }) => title).reverse();
  headlines = items.map(({ title, version }) => `${title} (${version})`).reverse();
  const product = await service.create('/v1/products', { name: 'Product', orgId: org.id });
  await service.patch(`/v1/sources/${source.id}`, { productId: product.id });
  await ingestInto(service, (await createTestSource(service, 'Alone')).id, items);
});
afterAll(() => service.close());

async function moment(): Promise<string> {
  const now = new Date().toISOString();
  await eventually('the moment has passed', () => Date.now() > Date.parse(now));
  return now;
}

const titlesOf = (body: { releases: { title: string }[] }) => body.releases.map(({ title }) => title);

describe('where texts make pages short, a form', () => {
  it.each(['/long.atom', '/long/long.atom', '/source/alone.atom'])('has all entries: %s', async (path) => {
    const { entries } = parseAtom((await service.get(path)).text);
    expect(entries.map(({ title }) => title)).toEqual(headlines);
    expect(entries.at(-1)?.content).toContain('0 xxx');
  });

  it.each(['', 'asOf'])('of an org has its ten newest releases %s', async (asOf) => {
    const { text } = await service.get(`/long.md${asOf && `?asOf=${await moment()}`}`);
    expect(text.match(/^### .*$/gm)).toEqual(headlines.slice(0, 10).map((headline) => `### ${headline}`));
  });
});

describe('where texts make pages short, a document', () => {
  const shownIn = ({ text }: { readonly text: string }) =>
    [...text.matchAll(/^### (.*)$/gm)].map(([, headline]) => headline);

  it.each(['/source/alone.md', '/long/long.md'])('has all releases of its page: %s', async (path) => {
    expect(shownIn(await service.get(path))).toEqual(headlines);
    expect(shownIn(await service.get(`${path}?limit=9`))).toEqual(headlines.slice(0, 9));
  });

  it('of a product has them, too', async () => {
    expect(shownIn(await service.get('/long/product.md'))).toEqual(headlines);
  });
});

describe('a page of long texts is short, and its cursor goes on', () => {
  it.each(['', 'asOf'])('of an org %s', async (asOf) => {
    const path = `/v1/orgs/long/releases?limit=${count}${asOf && `&asOf=${await moment()}`}`;
    const first = await service.get(path);
    expect(titlesOf(first.body)).toEqual(titles.slice(0, 8));
    const { nextCursor } = first.body.pagination;
    const second = await service.get(`${path}&cursor=${nextCursor}`);
    expect(titlesOf(second.body)).toEqual(titles.slice(8));
    expect(second.body.pagination.nextCursor).toBeNull();
  });

  it('of a source by a cursor', async () => {
    const first = await service.get(`/v1/orgs/long/sources/long?limit=${count}`);
    expect(titlesOf(first.body)).toEqual(titles.slice(0, 8));
    const { nextCursor } = first.body.pagination;
    const rest = await service.get(`/v1/sources/long?limit=${count}&cursor=${nextCursor}`);
    expect(titlesOf(rest.body)).toEqual(titles.slice(8));
    expect(rest.body.pagination).toEqual({ nextCursor: null, limit: count });
  });
});

describe('a page of long texts by its number', () => {
  const pageOf = async (page: number, pageSize: number) =>
    (await service.get(`/v1/sources/long?page=${page}&pageSize=${pageSize}`)).body;

  it('is whole, and the next one begins where it ends', async () => {
    const [first, second] = [await pageOf(1, 9), await pageOf(2, 9)];
    expect([titlesOf(first), titlesOf(second)]).toEqual([titles.slice(0, 9), titles.slice(9)]);
    expect(first.pagination).toMatchObject({ returned: 9, totalPages: 2, hasMore: true });
    expect(second.pagination).toEqual({
      page: 2,
      pageSize: 9,
      returned: 2,
      totalItems: count,
      totalPages: 2,
      hasMore: false,
      nextCursor: null,
      limit: 9,
    });
    const { nextCursor } = first.pagination;
    const following = await service.get(`/v1/sources/long?limit=9&cursor=${nextCursor}`);
    expect(titlesOf(following.body)).toEqual(titles.slice(9));
  });
});
