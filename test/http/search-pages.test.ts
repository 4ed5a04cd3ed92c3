import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SearchHit } from '../../src/ports/search-index.ts';
import { eventually } from '../spec/eventually.ts';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createSeeded } from '../spec/seeded.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';
import { openSearchWorld, type SearchWorld } from '../spec/worlds/search-world.ts';

/** More than are compared by their vectors for a first page, of which each says nearly the same. */
const count = 600;
const parts = ['parser', 'router', 'logger', 'cache', 'queue', 'socket', 'timer', 'worker', 'buffer', 'stream'];

let world: SearchWorld;
let service: HttpService;

beforeAll(async () => {
  world = await openSearchWorld();
  service = await startHttpService({ search: world.reading });
  const source = await service.create('/v1/sources', { name: 'Leaks', url: 'https://leaks.example/news' });
  const releases = Array.from({ length: count }, (_, number) => {
    const [first, second, third] = [number % 10, Math.floor(number / 10) % 10, Math.floor(number / 100)];
    const about = `${parts[first]}, ${parts[second]} and ${parts[third]}`;
    const publishedAt = new Date(Date.now() - number * 3_600_000).toISOString();
    const content = `Fixed a memory leak of ${about}, which grew by ${number}.`;
    return { title: `Release ${number}`, content, publishedAt };
  });
  for (let from = 0; from < count; from += 100) {
    await world.addReleases(service, await ingestInto(service, source.id, releases.slice(from, from + 100)));
  }
});
afterAll(async () => {
  await service.close();
  await world.close();
});
afterEach(() => world.mend());

const pageOf = async (mode: string, limit: number, offset: number): Promise<string[]> => {
  const query = `q=memory+leak&mode=${mode}&limit=${limit}&offset=${offset}`;
  const { body } = await service.get(`/v1/search/releases?${query}`);
  return body.releases.map(({ id }: { id: string }) => id);
};

/** Each page in turn, up to the offset that a search goes to. */
const pagesOf = async (mode: string, limit: number): Promise<string[]> => {
  const seen: string[] = [];
  for (let offset = 0; offset <= 1_000; offset += limit) {
    const page = await pageOf(mode, limit, offset);
    seen.push(...page);
    if (page.length < limit) break;
  }
  return seen;
};

/** As a graph is searched: what is nearest is found the better the more is wanted, and all of it where all is. */
const guessing = (hits: readonly SearchHit[], limit: number): SearchHit[] => {
  const seeded = createSeeded(limit);
  const isFound = hits.map(() => limit >= count || seeded.int(0, 9) > 1);
  return hits.filter((_, place) => isFound[place]).slice(0, limit);
};

it.each(['search', 'search/releases'])('is the same answer for a minute where nothing is written: %s', async (path) => {
  const get = (headers = {}) => service.get(`/v1/${path}?q=dated+leak`, { headers });
  // The next minute may begin between the two.
  await eventually('an answer is known', async () => {
    const { headers, body } = await get();
    expect(body.releases).not.toEqual([]);
    return (await get({ 'if-none-match': headers.get('etag')! })).status === 304;
  });
});

describe('from page to page', () => {
  it.each(['hybrid', 'semantic'])('nothing comes twice, and everything once: %s', async (mode) => {
    const seen = await pagesOf(mode, 20);
    expect(seen).toHaveLength(count);
    expect(new Set(seen).size).toBe(count);
  });

  it.each([20, 60])('whatever a list of another depth has: %d at a time', async (limit) => {
    world.breakIndex({
      search: async (lists) => {
        const deep = await world.index.search(
          lists.map((list) => ('near' in list ? { ...list, limit: 2 * list.limit } : list)),
        );
        return deep.map(({ hits }, at) => {
          const list = lists[at]!;
          return { hits: 'near' in list ? guessing(hits, list.limit) : hits };
        });
      },
    });
    const seen = await pagesOf('hybrid', limit);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(count);
  });
});
