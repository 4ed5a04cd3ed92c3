import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lookedAtMax } from '../../queries/feed/matching-page.ts';
import { eventually } from '../spec/eventually.ts';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';
import { openSearchWorld, type SearchWorld } from '../spec/worlds/search-world.ts';

let world: SearchWorld;
let service: HttpService;

const hourMs = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();

async function addReleases(sourceId: string, releases: readonly Record<string, unknown>[]): Promise<string[]> {
  const added: string[] = [];
  for (let at = 0; at < releases.length; at += 500) {
    const ids = await ingestInto(service, sourceId, releases.slice(at, at + 500));
    await world.addReleases(service, ids, { withVectors: false });
    added.push(...ids);
  }
  return added;
}

beforeAll(async () => {
  world = await openSearchWorld();
  service = await startHttpService({ search: world.reading });
  const acme = await createTestOrg(service, 'Acme');
  const code = await createTestSource(service, 'Quokka', { orgId: acme.id });
  const veiled = await createTestSource(service, 'Veiled', { orgId: acme.id, isHidden: true });
  const globex = await createTestOrg(service, 'Globex');
  const other = await createTestSource(service, 'Other', { orgId: globex.id });
  await addReleases(code.id, [
    { title: 'Wings', version: '2.0.0', publishedAt: hoursAgo(10), content: 'The rocket has wings.' },
    { title: 'Rocketry', version: '1.1.0', publishedAt: hoursAgo(20), content: 'Wings and fins for everybody.' },
    { title: 'Fins', version: '1.0.0', publishedAt: hoursAgo(30), content: 'Fins against the wind.' },
    { title: 'Wings beta', version: '2.0.0-beta.1', publishedAt: hoursAgo(15), content: 'A rocket with wings.' },
    { title: 'Tomorrow', publishedAt: hoursAgo(-48), content: 'A rocket with lasers and wings.' },
    { title: 'Undated wings' },
  ]);
  await addReleases(code.id, [{ title: 'Undated winglets' }]);
  await addReleases(veiled.id, [{ title: 'Secret wings', publishedAt: hoursAgo(1), content: 'A rocket.' }]);
  await addReleases(other.id, [{ title: 'Other wings', publishedAt: hoursAgo(1), content: 'A rocket.' }]);
});
afterAll(async () => {
  await service.close();
  await world.close();
});
afterEach(() => world.mend());

const feed = (query: string, path = '/v1/orgs/acme/releases') => service.get(`${path}?${query}`);
const titles = ({ status, text, body }: HttpAnswer): string[] => {
  expect(status, text).toBe(200);
  return body.releases.map(({ title }: { title: string }) => title);
};

describe('the words of a feed', () => {
  it.each([
    ['q=wings', ['Wings', 'Rocketry', 'Undated wings']],
    ['q=wing', ['Wings', 'Rocketry', 'Undated winglets', 'Undated wings']],
    ['q=WING rocket', ['Wings', 'Rocketry']],
    ['q=rocket%20%20wings', ['Wings', 'Rocketry']],
    ['q=wings&include_prereleases=true', ['Wings', 'Wings beta', 'Rocketry', 'Undated wings']],
    ['q=wings&since=1d', ['Wings', 'Rocketry']],
    ['q=2.0', ['Wings']],
    ['q=nowhere', []],
    ['q=wings nowhere', []],
    // What its source is called is no part of a release.
    ['q=quokka', []],
    [`q=${encodeURIComponent('"OR* (')}`, []],
    [`q=${encodeURIComponent('&&&')}`, []],
    ['q=%20', ['Wings', 'Rocketry', 'Fins', 'Undated winglets', 'Undated wings']],
  ])('are all in the title or the content, or begin a word of it: %s', async (query, expected) => {
    const found = titles(await feed(query));
    expect(found).toEqual(expected);
    if (query.includes('since')) return; // the feed of a source has no window
    expect(titles(await feed(query, '/v1/orgs/acme/sources/quokka/releases'))).toEqual(expected);
    expect(titles(await feed(query, '/v1/sources/quokka/releases'))).toEqual(expected);
  });

  it('are looked for without being ranked, as the feed has an order of its own', async () => {
    const index = (await world.reading.index())!;
    const asked: unknown[] = [];
    world.breakIndex({
      search: (lists) => {
        asked.push(...lists);
        return index.search(lists);
      },
    });
    expect(titles(await feed('q=wings'))).toHaveLength(3);
    expect(asked).toMatchObject([{ inAnyOrder: true }]);
  });

  it('keep the pages of the feed', async () => {
    const whole = (await feed('q=wing&include_prereleases=true')).body.releases;
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await feed(`q=wing&include_prereleases=true&limit=2${cursor}`);
      seen.push(...body.releases);
      expect(body.releases.length).toBeGreaterThan(0);
      cursor = body.pagination.nextCursor && `&cursor=${body.pagination.nextCursor}`;
    } while (cursor);
    expect(seen).toEqual(whole);
    expect(seen).toHaveLength(5);
    const { nextCursor } = (await feed('q=wing&limit=1')).body.pagination;
    expect((await feed(`q=wings&limit=1&cursor=${nextCursor}`)).body.error.code).toBe('invalid_cursor');
  });

  it('are refused where they are too long', async () => {
    expect((await feed(`q=${'a'.repeat(201)}`)).body.error.code).toBe('invalid_parameter');
  });

  it('are those of then in the feed of a moment', async () => {
    const org = await createTestOrg(service, 'Then');
    const source = await createTestSource(service, 'Then', { orgId: org.id });
    const [kept = '', revised = ''] = await addReleases(source.id, [
      { title: 'Kept', publishedAt: hoursAgo(3), content: 'A walrus swims.' },
      { title: 'Revised', publishedAt: hoursAgo(2), content: 'A walrus sings.' },
    ]);
    const thenMs = Date.now() + 1;
    await eventually('the clock has gone on', () => Date.now() > thenMs);
    const long = 'The narwhal dives. '.repeat(30_000);
    await service.patch(`/v1/releases/${revised}`, { title: 'Anew', content: long });
    await addReleases(source.id, [{ title: 'Late walrus', publishedAt: hoursAgo(1) }]);
    await world.addReleases(service, [revised], { withVectors: false });
    const found = async (query: string) => titles(await feed(query, '/v1/orgs/then/releases'));
    const then = `asOf=${new Date(thenMs).toISOString()}`;
    expect(await found('q=walr')).toEqual(['Late walrus', 'Kept']);
    expect(await found(`q=walr&${then}`)).toEqual(['Revised', 'Kept']);
    expect(await found(`q=walrus SING&${then}`)).toEqual(['Revised']);
    expect(await found(`q=narwhal&${then}`)).toEqual([]);
    expect(await found(`q=anew&${then}`)).toEqual([]);
    expect(await found(`q=narwhal dives anew&asOf=${new Date().toISOString()}`)).toEqual(['Anew']);
    const { body } = await feed(`q=walrus&limit=1&${then}`, '/v1/orgs/then/releases');
    const next = `q=walrus&limit=1&${then}&cursor=${body.pagination.nextCursor}`;
    expect((await feed(next, '/v1/orgs/then/releases')).body).toMatchObject({
      releases: [{ id: kept }],
      pagination: { nextCursor: null },
    });
  });

  it('find nothing before there is an index', async () => {
    world.reading.index = async () => null;
    expect(titles(await feed('q=wings'))).toEqual([]);
    expect(titles(await feed('')).length).toBeGreaterThan(0);
  });

  it('follow what was written, for who waits for its position', async () => {
    const { body: source } = await service.get('/v1/sources/quokka');
    const written = await service.post(`/v1/sources/${source.id}/releases`, {
      title: 'Gliders',
      content: 'They glide.',
    });
    const position = written.headers.get('x-service-position')!;
    const waiting = () =>
      service.get('/v1/orgs/acme/releases?q=glid', { headers: { 'X-Service-Min-Position': position } });
    expect((await waiting()).body.error.code).toBe('projection_behind');
    await world.passTo(Number(position));
    await world.addReleases(service, [written.body.id]);
    expect(titles(await waiting())).toEqual(['Gliders']);
  });
});

it('words of a feed that many releases have are looked for within bounds, and all are found in its order', async () => {
  const org = await createTestOrg(service, 'Many');
  const source = await createTestSource(service, 'Many', { orgId: org.id });
  const before = lookedAtMax + 100;
  const having = 520;
  const ids = await addReleases(
    source.id,
    Array.from({ length: before + having }, (_, number) => ({
      title: `Release ${number}`,
      publishedAt: hoursAgo(number + 1),
      content: number < before ? 'Something else.' : 'A marmot whistles.',
    })),
  );
  const index = (await world.reading.index())!;
  const counted = { rows: 0, lists: 0 };
  world.breakIndex({
    matching: (kind, some, words) => {
      counted.rows += some.length;
      return index.matching(kind, some, words);
    },
    search: (lists) => {
      counted.lists += lists.length;
      return index.search(lists);
    },
  });
  const seen: string[] = [];
  const sizes: number[] = [];
  let cursor = '';
  do {
    const { status, text, body } = await feed(`q=marmot&limit=100${cursor}`, '/v1/orgs/many/releases');
    expect(status, text).toBe(200);
    seen.push(...body.releases.map(({ id }: { id: string }) => id));
    sizes.push(body.releases.length);
    if (cursor === '') expect([counted.rows, counted.lists < 8]).toEqual([lookedAtMax, true]);
    cursor = body.pagination.nextCursor && `&cursor=${body.pagination.nextCursor}`;
  } while (cursor);
  expect(sizes).toEqual([100, 100, 100, 100, 100, 20]);
  expect(seen).toEqual(ids.slice(before));
  // Few of them are found by themselves, however far back they lie.
  const { body } = await feed(`q=${encodeURIComponent(`marmot ${before + having - 1}`)}`, '/v1/orgs/many/releases');
  expect(body.releases.map(({ id }: { id: string }) => id)).toEqual([ids.at(-1)]);
});

it.each(['of one date', 'without a date'])(
  'words of a feed that more releases %s have than are put in order are all found, page by page',
  async (when) => {
    const name = when === 'of one date' ? 'OneDate' : 'Undated';
    const org = await createTestOrg(service, name);
    const source = await createTestSource(service, name, { orgId: org.id });
    const date = when === 'of one date' ? { publishedAt: hoursAgo(5_000) } : {};
    await addReleases(
      source.id,
      Array.from({ length: lookedAtMax + 10 }, (_, number) => ({
        title: `Before ${number}`,
        publishedAt: hoursAgo(1 + number),
        content: 'Something else.',
      })),
    );
    const having = await addReleases(
      source.id,
      Array.from({ length: 510 }, (_, number) => ({ title: `Having ${number}`, ...date, content: 'A lemur climbs.' })),
    );
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 12 && cursor !== null; page += 1) {
      const { status, text, body } = await feed(`q=lemur&limit=100${cursor}`, `/v1/orgs/${org.slug}/releases`);
      expect(status, text).toBe(200);
      seen.push(...body.releases.map(({ id }: { id: string }) => id));
      cursor = body.pagination.nextCursor && `&cursor=${body.pagination.nextCursor}`;
    }
    expect([seen.length, new Set(seen).size, cursor]).toEqual([having.length, having.length, null]);
  },
);
