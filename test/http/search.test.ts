import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../src/kernel/backend-unavailable.ts';
import { EmbedderUnavailable } from '../../src/ports/embedder.ts';
import { GenerationDropped, IndexUnavailable, VectorsUnavailable } from '../../src/ports/search-index.ts';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, issueTestToken } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';
import { openSearchWorld, type SearchWorld } from '../spec/worlds/search-world.ts';

let world: SearchWorld;
let service: HttpService;
let admin: string;
let acme: { id: string };
let rocket: { id: string };
let code: { id: string };
let blog: { id: string };
let other: { id: string };

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

const changelog = [
  '# Changelog\n',
  '## 2.0.0\n\nThe telescope points itself at comets.\n',
  `## 1.0.0\n\n${'Plain old words about lenses. '.repeat(40)}\n`,
].join('\n');

beforeAll(async () => {
  world = await openSearchWorld();
  service = await startHttpService({ search: world.reading });
  admin = await issueTestToken(service, 'admin');
  acme = await createTestOrg(service, 'Acme', { category: 'ai' });
  const globex = await createTestOrg(service, 'Globex', { category: 'crm' });
  rocket = await service.create('/v1/products', { name: 'Rocket', orgId: acme.id, kind: 'sdk' });
  const source = (name: string, orgId: string | null, fields: object = {}) =>
    service.create('/v1/sources', { name, url: `https://${name.toLowerCase()}.example/news`, orgId, ...fields });
  code = await service.create('/v1/sources', {
    name: 'Code',
    url: 'https://github.com/acme/rocket',
    orgId: acme.id,
    productId: rocket.id,
  });
  blog = await source('Blog', acme.id, { kind: 'docs' });
  other = await source('Other', globex.id);
  const veiled = await source('Veiled', globex.id, { isHidden: true });
  const collection = await service.create('/v1/collections', { name: 'Flying' });
  await service.create(`/v1/collections/${collection.slug}/members`, { productId: rocket.id });
  const added = async (sourceId: string, releases: readonly Record<string, unknown>[]) => {
    const ids = await ingestInto(service, sourceId, releases);
    await world.addReleases(service, ids);
    return ids;
  };
  await added(code.id, [
    { title: 'Wings', version: '2.0.0', publishedAt: ago(3), content: 'The rocket has wings and a quieter engine.' },
    { title: 'Fins', version: '1.0.0', publishedAt: ago(400), content: 'The rocket has fins against the wind.' },
    { title: 'Wings beta', version: '2.0.0-beta.1', publishedAt: ago(5), content: 'The rocket tries out its wings.' },
    { title: 'Nothing', version: '1.0.1', publishedAt: ago(2), content: 'Version bump only for package rocket' },
    { title: 'Rocket of tomorrow', publishedAt: ago(-2), content: 'The rocket will have lasers and wings.' },
  ]);
  const [post, , covering] = await added(blog.id, [
    { title: 'Our rocket flies', publishedAt: ago(10), content: 'A long story of how the rocket left the ground.' },
    { title: 'Undated rocket', content: 'Nobody knows when this rocket was built.' },
    { title: 'Covered rocket', publishedAt: ago(9), content: 'What others write about the rocket and its wings.' },
  ]);
  expect((await service.post(`/v1/releases/${post}/coverage`, { coverageIds: [covering] })).status).toBe(201);
  await world.addReleases(service, [covering!]);
  await added(other.id, [{ title: 'A rocket elsewhere', publishedAt: ago(1), content: 'Globex has a rocket, too.' }]);
  await added(veiled.id, [{ title: 'Secret rocket', publishedAt: ago(1), content: 'Nobody may know of this rocket.' }]);
  const put = { body: { path: 'CHANGELOG.md', content: changelog } };
  expect((await service.call('PUT', `/v1/sources/${code.id}/changelog`, put)).status).toBe(200);
  await world.addFile(service, code.id, 'CHANGELOG.md');
});
afterAll(async () => {
  await service.close();
  await world.close();
});
afterEach(() => world.mend());

const search = (search: string, options = {}) => service.get(`/v1/search?${search}`, options);
const titles = ({ status, text, body }: HttpAnswer): string[] => {
  expect(status, text).toBe(200);
  return body.releases.map(({ title }: { title: string }) => title);
};
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error?.code, body.error?.details];

const visibleRockets = [
  'A rocket elsewhere',
  'Fins',
  'Our rocket flies',
  'Undated rocket',
  'Wings',
  'Wings beta',
].sort();

describe('a search by words', () => {
  it('finds releases that have them all, and none that nobody may see or that say nothing', async () => {
    expect(titles(await search('q=rocket&mode=lexical')).sort()).toEqual(visibleRockets);
    expect(titles(await search('q=rocket wings&mode=lexical')).sort()).toEqual(['Wings', 'Wings beta']);
    expect(titles(await search('q=ROCKET quieter&mode=lexical'))).toEqual(['Wings']);
    expect(titles(await search('q=rock&mode=lexical'))).toEqual([]);
  });

  it('has neither chunks nor mode nor scores', async () => {
    const { body, headers } = await search('q=quieter&mode=lexical');
    expect(Object.keys(body)).toEqual(['query', 'orgs', 'catalog', 'collections', 'releases', '_meta']);
    expect(body._meta).toEqual({ search: { limit: 20, offset: 0, hitCap: false } });
    expect(body.releases[0]).toMatchObject({
      title: 'Wings',
      sourceSlug: 'code',
      sourceName: 'Code',
      sourceType: 'github',
      orgSlug: 'acme',
      orgName: 'Acme',
      productSlug: 'rocket',
    });
    expect(body.releases[0]).not.toHaveProperty('score');
    expect(body.releases[0]).not.toHaveProperty('content');
    expect(headers.get('cache-control')).toBe('public, max-age=30, stale-while-revalidate=30');
  });

  it.each([
    ['org=acme', ['Fins', 'Our rocket flies', 'Undated rocket', 'Wings', 'Wings beta']],
    ['product=rocket', ['Fins', 'Wings', 'Wings beta']],
    ['org=acme&product=rocket', ['Fins', 'Wings', 'Wings beta']],
    ['kind=docs', ['Our rocket flies', 'Undated rocket']],
    ['kind=sdk', ['Fins', 'Wings', 'Wings beta']],
    ['kind=docs&org=acme', ['Our rocket flies', 'Undated rocket']],
    ['category=crm', ['A rocket elsewhere']],
    ['category=ai&kind=docs', ['Our rocket flies', 'Undated rocket']],
    ['category=crm&kind=docs', []],
    ['collection=flying', ['Fins', 'Wings', 'Wings beta']],
    ['collection=flying&org=globex', []],
    ['since=30d', ['A rocket elsewhere', 'Our rocket flies', 'Wings', 'Wings beta']],
    ['until=30d', ['Fins']],
    ['since=7d&until=4d', ['Wings beta']],
    ['include_coverage=true&kind=docs', ['Covered rocket', 'Our rocket flies', 'Undated rocket']],
    ['limit=1&offset=5', [expect.any(String)]],
    ['offset=6', []],
  ])('keeps to %s', async (filter, expected) => {
    expect(titles(await search(`q=rocket&mode=lexical&${filter}`)).sort()).toEqual(expected);
    if (filter.includes('offset')) return;
    expect(titles(await search(`q=rocket&${filter}`)).sort()).toEqual(expected);
    const alone = await service.get(`/v1/search/releases?q=rocket&mode=semantic&limit=100&${filter}`);
    expect(titles(alone).filter((title) => !expected.includes(title))).toEqual([]);
  });

  it('shows an admin no more, unless what is hidden is asked for by its name', async () => {
    const hushed = await createTestOrg(service, 'Hushed');
    const source = await service.create('/v1/sources', { name: 'H', url: 'https://h.example/x', orgId: hushed.id });
    const ids = await ingestInto(service, source.id, [{ title: 'Hush', content: 'A balloon without a sound.' }]);
    await world.addReleases(service, ids);
    await service.patch(`/v1/orgs/${hushed.id}`, { isHidden: true });
    expect(titles(await search('q=balloon&mode=lexical', { key: admin }))).toEqual([]);
    expect(titles(await search('q=balloon&mode=lexical&org=hushed', { key: admin }))).toEqual(['Hush']);
    expect(codeOf(await search('q=balloon&mode=lexical&org=hushed'))[0]).toBe(404);
    expect(titles(await search('q=rocket&mode=lexical', { key: admin })).sort()).toEqual(visibleRockets);
  });
});

describe('a search by meaning', () => {
  it('finds what shares no word, with scores, the best first', async () => {
    const { body } = await search('q=noise of the motor&mode=semantic');
    expect(body).toMatchObject({ mode: 'semantic', degraded: false });
    expect(body).not.toHaveProperty('degradedReason');
    expect(body.releases[0].title).toBe('Wings');
    const scores = body.releases.map(({ score }: { score: number }) => score);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
  });

  it('never shows what nobody may see, says nothing or lies ahead', async () => {
    for (const mode of ['semantic', 'hybrid']) {
      const found = titles(await search(`q=secret rocket with lasers&mode=${mode}&limit=100`));
      expect(found.filter((title) => !visibleRockets.includes(title))).toEqual([]);
      expect(found.length).toBeGreaterThan(3);
    }
  });

  it('gives pieces of changelogs that the changelog endpoint goes on from', async () => {
    const { body } = await search('q=telescope comets');
    const [chunk] = body.chunks;
    expect(chunk).toMatchObject({
      sourceSlug: 'code',
      sourceId: code.id,
      sourceName: 'Code',
      orgSlug: 'acme',
      orgName: 'Acme',
      filePath: 'CHANGELOG.md',
      score: expect.any(Number),
    });
    expect(chunk.snippet).toContain('telescope');
    const slice = await service.get(`/v1/sources/${code.id}/changelog?offset=${chunk.offset}&limit=100000`);
    expect(slice.body.content).toContain(chunk.snippet.replace(/…$/, ''));
    expect(titles(await service.get('/v1/search/releases?q=telescope comets'))).not.toContain(undefined);
    expect((await service.get('/v1/search/releases?q=telescope comets')).body).not.toHaveProperty('chunks');
  });

  it('finds pieces of changelogs whatever the dates of releases are asked to be', async () => {
    expect((await search('q=telescope comets&since=1d')).body.chunks).toHaveLength(1);
    expect((await search('q=telescope comets&org=globex')).body.chunks).toEqual([]);
  });

  it('counts releases and pieces together, and says when there may be more', async () => {
    const { body } = await search('q=telescope rocket&limit=2');
    expect(body.releases.length + body.chunks.length).toBe(2);
    expect(body._meta.search).toEqual({ limit: 2, offset: 0, hitCap: true });
    const { body: rest } = await search('q=quieter&limit=100');
    expect(rest._meta.search.hitCap).toBe(false);
  });

  it.each(['lexical', 'semantic', 'hybrid'])(
    'goes from page to page without meeting anything twice: %s',
    async (mode) => {
      const all = (await search(`q=rocket&mode=${mode}&limit=100`)).body;
      const idsOf = (body: HttpAnswer['body']): string[] => [
        ...body.releases.map(({ id }: { id: string }) => id),
        ...(body.chunks ?? []).map(({ offset }: { offset: number }) => `chunk ${offset}`),
      ];
      for (const limit of [1, 3]) {
        const seen: string[] = [];
        for (let offset = 0; offset < 20; offset += limit) {
          seen.push(...idsOf((await search(`q=rocket&mode=${mode}&limit=${limit}&offset=${offset}`)).body));
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect([...seen].sort()).toEqual(idsOf(all).sort());
      }
    },
  );
});

describe('a search without vectors', () => {
  const lexical = ['Wings', 'Wings beta'];

  it.each(['hybrid', 'semantic'])('answers %s by words alone where nothing is embedded', async (mode) => {
    world.reading.embedder = null;
    const answer = await search(`q=rocket wings&mode=${mode}`);
    expect(titles(answer).sort()).toEqual(lexical);
    expect(answer.body).toMatchObject({ mode, degraded: true, degradedReason: 'not_configured' });
    expect((await search('q=telescope&mode=semantic')).body.chunks).toHaveLength(1);
  });

  it('answers by words alone while the embedder is away', async () => {
    const { space } = world.reading.embedder!;
    const embed = () => Promise.reject(new EmbedderUnavailable('gone'));
    world.reading.embedder = { space, embed };
    const answer = await search('q=rocket wings');
    expect(titles(answer).sort()).toEqual(lexical);
    expect(answer.body).toMatchObject({ mode: 'hybrid', degraded: true, degradedReason: 'embedding_unavailable' });
    expect(titles(await search('q=rocket wings&mode=lexical')).sort()).toEqual(lexical);
  });

  it('answers by words alone while the vectors are away', async () => {
    world.breakIndex({
      search: (lists) =>
        lists.some((list) => 'near' in list)
          ? Promise.reject(new VectorsUnavailable('loading'))
          : world.index.search(lists),
    });
    for (const mode of ['hybrid', 'semantic']) {
      const answer = await search(`q=rocket wings&mode=${mode}`);
      expect(titles(answer).sort()).toEqual(lexical);
      expect(answer.body).toMatchObject({ mode, degraded: true, degradedReason: 'vector_index_unavailable' });
    }
  });

  it('does not call a query degraded that means nothing', async () => {
    const nothing = { mode: 'semantic', degraded: false, releases: [], chunks: [] };
    expect((await search(`q=${encodeURIComponent('!!! ???')}&mode=semantic`)).body).toMatchObject(nothing);
    const { space } = world.reading.embedder!;
    world.reading.embedder = { space, embed: async () => null };
    expect((await search('q=rocket&mode=semantic')).body).toMatchObject(nothing);
    expect(titles(await search('q=rocket wings')).sort()).toEqual(['Wings', 'Wings beta']);
  });

  it('has no hits before there is an index', async () => {
    world.reading.index = async () => null;
    expect((await search('q=rocket')).body).toMatchObject({ releases: [], chunks: [], degraded: false });
    expect(codeOf(await search('q=rocket&org=nope'))[0]).toBe(404);
  });

  const away: [what: string, named: string, begin: () => void][] = [
    [
      'a server does not answer searches',
      'OpenSearch',
      () => world.breakIndex({ search: () => Promise.reject(new BackendUnavailable('OpenSearch')) }),
    ],
    [
      'a server does not even say which index is live',
      'OpenSearch',
      () => {
        world.reading.index = () => Promise.reject(new BackendUnavailable('OpenSearch'));
      },
    ],
    [
      'its file cannot be read',
      'search index',
      () => world.breakIndex({ search: () => Promise.reject(new IndexUnavailable('broken')) }),
    ],
    [
      'its file cannot even be opened',
      'search index',
      () => {
        world.reading.index = () => Promise.reject(new IndexUnavailable('broken'));
      },
    ],
  ];

  it.each(away)('answers by names, or says that it cannot, while %s', async (_, named, begin) => {
    const { orgs, catalog, collections, lookup } = (await search('q=acme/rocket')).body;
    expect(lookup).toMatchObject({ status: 'tracked', sourceId: code.id });
    const whole = (await search('q=rocket')).body;
    expect(whole.catalog).not.toEqual([]);
    expect(whole.collections).not.toEqual([]);
    begin();
    for (const mode of ['hybrid', 'semantic']) {
      const told = { mode, degraded: true, degradedReason: 'vector_index_unavailable', releases: [], chunks: [] };
      const { status, body } = await search(`q=rocket&mode=${mode}`);
      expect([status, body]).toMatchObject([200, { ...told, catalog: whole.catalog, collections: whole.collections }]);
      const { body: hinted } = await search(`q=acme/rocket&mode=${mode}`);
      expect(hinted).toMatchObject({ ...told, orgs, catalog, collections, lookup });
    }
    const missing = [503, 'service_unavailable', { unreachable: [named] }];
    for (const path of ['search?q=rocket&mode=lexical', 'search?q=rocket&offset=20', 'search/releases?q=rocket']) {
      expect(codeOf(await service.get(`/v1/${path}`)), path).toEqual(missing);
    }
    expect(codeOf(await search('q=rocket&org=nope'))[0]).toBe(404);
  });

  const idsOf = ({ body }: HttpAnswer) => (body.releases ?? body.items).map(({ id }: { id: string }) => id);

  it.each([
    'search?q=rocket',
    'search?q=rocket&mode=lexical',
    'search/releases?q=rocket',
    'orgs/acme/releases?q=rocket',
  ])('asks the generation that lives where the one that it has is dropped meanwhile: %s', async (path) => {
    const whole = await service.get(`/v1/${path}&limit=3`);
    expect(idsOf(whole)).not.toEqual([]);
    const { index } = world.reading;
    let opened = 0;
    const dropped = () => Promise.reject(new GenerationDropped());
    world.reading.index = async () => {
      opened += 1;
      return opened === 1 ? { ...(await index())!, search: dropped, matching: dropped } : index();
    };
    const answer = await service.get(`/v1/${path}&limit=3&unkept`);
    expect([answer.status, idsOf(answer), opened]).toEqual([200, idsOf(whole), 2]);
  });

  it('is away where each generation that it is given is dropped meanwhile', async () => {
    world.breakIndex({ search: () => Promise.reject(new GenerationDropped()) });
    expect(codeOf(await search('q=rocket'))).toEqual([503, 'service_unavailable', { unreachable: ['search index'] }]);
  });

  it('is an error all the same when what fails is no outage', async () => {
    world.breakIndex({ search: () => Promise.reject(new Error('a slip')) });
    expect(codeOf(await search('q=rocket'))[0]).toBe(500);
    world.breakIndex({ search: () => Promise.reject(new BackendUnavailable('MongoDB')) });
    expect(codeOf(await search('q=rocket'))[0]).toBe(503);
  });
});

describe('what an index has that is no longer so', () => {
  it('is left out, and others take its place', async () => {
    const target = await service.create('/v1/sources', { name: 'Fading', url: 'https://fading.example/news' });
    const count = 100; // more than the candidates of a page
    const ids = await ingestInto(
      service,
      target.id,
      Array.from({ length: count }, (_, number) => ({
        title: `Zeppelin ${number}`,
        publishedAt: ago(number + 1),
        content: `Zeppelin number ${number} is lighter than the air around it.`,
      })),
    );
    await world.addReleases(service, ids);
    // Neither the index nor its filter knows of these.
    expect((await service.post('/v1/releases/batch-suppress', { ids: ids.slice(0, 97) })).status).toBe(200);
    for (const mode of ['lexical', 'semantic', 'hybrid']) {
      const found = titles(await service.get(`/v1/search/releases?q=lighter zeppelin&mode=${mode}&limit=2`));
      expect(found.filter((title) => !/^Zeppelin 9[789]$/.test(title))).toEqual([]);
      expect(found).toHaveLength(2);
    }
    expect((await service.patch(`/v1/sources/${target.id}`, { isHidden: true })).status).toBe(200);
    expect(titles(await search('q=zeppelin')).filter((title) => title.startsWith('Zeppelin'))).toEqual([]);
  });

  it('is left out when it was dated ahead or covers another by now', async () => {
    const target = await service.create('/v1/sources', { name: 'Turning', url: 'https://turning.example/news' });
    const all = ['Stays', 'Ahead', 'Covers'].map((title) => ({
      title,
      version: title.toLowerCase(),
      publishedAt: ago(1),
      content: 'A gyrocopter that turns and turns.',
    }));
    const [stays, ahead, covers] = await ingestInto(service, target.id, all);
    await world.addReleases(service, [stays!, ahead!, covers!]);
    const found = async (filter = '') =>
      titles(await service.get(`/v1/search/releases?q=gyrocopter&mode=lexical${filter}`)).sort();
    expect(await found()).toEqual(['Ahead', 'Covers', 'Stays']);
    // The index is told nothing of these.
    expect((await service.patch(`/v1/releases/${ahead}`, { publishedAt: ago(-3) })).status).toBe(200);
    expect((await service.post(`/v1/releases/${stays}/coverage`, { coverageIds: [covers] })).status).toBe(201);
    expect(await found()).toEqual(['Stays']);
    expect(await found('&include_coverage=true')).toEqual(['Covers', 'Stays']);
    expect(await found('&since=1w&until=2d')).toEqual([]);
  });

  it('is left out when its changelog file became shorter', async () => {
    const source = await service.create('/v1/sources', { name: 'Cut', url: 'https://github.com/cut/cut' });
    const put = (content: string) =>
      service.call('PUT', `/v1/sources/${source.id}/changelog`, { body: { path: 'CHANGES.md', content } });
    await put(`# Changes\n\n## 1.0.0\n\nThe ${'xylophone plays by itself. '.repeat(10)}\n`);
    await world.addFile(service, source.id, 'CHANGES.md');
    const found = async () =>
      (await search('q=xylophone')).body.chunks.filter(({ sourceId }: { sourceId: string }) => sourceId === source.id);
    expect(await found()).toHaveLength(1);
    await put('# Changes\n');
    expect(await found()).toEqual([]);
  });

  it('cuts a long piece after 2,000 characters, and never inside one', async () => {
    const source = await service.create('/v1/sources', { name: 'Long', url: 'https://github.com/long/long' });
    const content = `## Saxophones\n\n${'🎷'.repeat(2_000)} saxophone`;
    await service.call('PUT', `/v1/sources/${source.id}/changelog`, { body: { path: 'CHANGES.md', content } });
    await world.addFile(service, source.id, 'CHANGES.md');
    const { heading, snippet, length } = (await search('q=saxophone')).body.chunks[0];
    expect([heading, length]).toEqual(['Saxophones', content.length]);
    expect(snippet.endsWith('🎷…')).toBe(true);
    expect(snippet.length).toBeLessThanOrEqual(2_001);
    expect(snippet.length).toBeGreaterThan(1_998);
  });
});

describe('a search that waits for a position', () => {
  it('waits until the index is there', async () => {
    const waited = await service.post('/v1/orgs', { name: 'Waited for' });
    const position = Number(waited.headers.get('x-service-position'));
    const behind = await search('q=rocket', { headers: { 'X-Service-Min-Position': String(position) } });
    expect(codeOf(behind).slice(0, 2)).toEqual([503, 'projection_behind']);
    expect(behind.body.error.details.requested).toBe(position);
    await world.passTo(position);
    expect((await search('q=rocket', { headers: { 'X-Service-Min-Position': String(position) } })).status).toBe(200);
  });
});

describe('a search that is asked for wrongly', () => {
  it.each([
    ['', 'missing_parameter'],
    ['q=', 'missing_parameter'],
    ['q=%20%09', 'missing_parameter'],
    ['q=a&mode=fuzzy', 'invalid_parameter'],
    ['q=a&mode=Lexical', 'invalid_parameter'],
    ['q=a&kind=nope', 'invalid_parameter'],
    ['q=a&category=nope', 'invalid_parameter'],
    ['q=a&limit=0', 'invalid_parameter'],
    ['q=a&offset=-1', 'invalid_parameter'],
    ['q=a&since=2026-02-30', 'invalid_parameter'],
    ['q=a&since=1d&until=2d', 'conflicting_parameters'],
    ['q=a&include_coverage=maybe', 'invalid_parameter'],
    ['q=a&q=b', 'invalid_parameter'],
    [`q=${'a'.repeat(401)}`, 'invalid_parameter'],
  ])('is refused: %s', async (query, expected) => {
    for (const path of ['/v1/search', '/v1/search/releases']) {
      expect(codeOf(await service.get(`${path}?${query}`)).slice(0, 2)).toEqual([400, expected]);
    }
  });

  it.each(['org', 'product', 'collection'])('is not found: another %s', async (name) => {
    expect(codeOf(await search(`q=a&${name}=nope`))).toEqual([404, 'not_found', { entity: name }]);
  });

  it('is clamped where it asks for too much', async () => {
    const { body } = await search('q=rocket&limit=100000&offset=99999999');
    expect(body._meta.search).toEqual({ limit: 100, offset: 1000, hitCap: false });
    expect((await search(`q=${encodeURIComponent(` ${'😀'.repeat(400)} `)}`)).status).toBe(200);
  });
});

describe('whatever is typed', () => {
  it.each([
    '"',
    '"unclosed rocket',
    "'; DROP TABLE state; --",
    "' OR 1=1 --",
    'rocket OR wings AND NOT fins',
    'NEAR(rocket wings, 2)',
    'title:rocket',
    'title:(rocket AND +wings) -fins^4 ~2',
    '{title body} : rocket',
    'rocket*',
    '*',
    '?',
    '(((',
    ')]}',
    '[rocket TO wings]',
    '/rocket.*/',
    '\\',
    '<script>alert(1)</script>',
    '!@#$%^&*()_+{}|:"<>?-=[]\\;\',./`~'.repeat(13).slice(0, 400),
    '🚀',
    '👩‍👩‍👧‍👦 rocket',
    'مرحبا بالعالم',
    '\u202erocket\u202c',
    '火箭',
    'x',
    '_source',
    's1',
    'ab '.repeat(133),
    'a'.repeat(400),
  ])('is answered sanely: %j', async (q) => {
    for (const mode of ['lexical', 'semantic', 'hybrid']) {
      const answer = await search(`q=${encodeURIComponent(q)}&mode=${mode}`);
      expect(answer.status, answer.text).toBe(200);
      expect(titles(answer).filter((title) => /Secret|tomorrow|Nothing|Covered/.test(title))).toEqual([]);
    }
  });

  it('is words and no syntax', async () => {
    const lexical = async (q: string) => titles(await search(`q=${encodeURIComponent(q)}&mode=lexical`)).sort();
    expect(await lexical('rocket*')).toEqual(visibleRockets); // the mark is no word
    expect(await lexical('"rocket" wings')).toEqual(['Wings', 'Wings beta']);
    expect(await lexical('fins OR quieter')).toEqual([]);
    expect(await lexical('s1')).toEqual([]);
  });
});
