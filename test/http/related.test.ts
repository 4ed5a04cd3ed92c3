import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { BackendUnavailable } from '../../src/kernel/backend-unavailable.ts';
import { IndexUnavailable, VectorsUnavailable } from '../../src/ports/search-index.ts';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';
import { openSearchWorld, type SearchWorld } from '../spec/worlds/search-world.ts';

let world: SearchWorld;
let service: HttpService;
const sources = new Map<string, string>();
const releases = new Map<string, string>();

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const long = (text: string) => `${text}\n\n${`${text} `.repeat(8)}`;
const wings = 'The rocket has new wings made of aluminium.';

async function addReleases(
  source: string,
  all: readonly ({ readonly title: string } & Record<string, unknown>)[],
): Promise<void> {
  const ids = await ingestInto(service, sources.get(source)!, all);
  for (const [at, { title }] of all.entries()) releases.set(title, ids[at]!);
  await world.addReleases(service, ids);
}

beforeAll(async () => {
  world = await openSearchWorld();
  service = await startHttpService({ search: world.reading });
  const acme = await createTestOrg(service, 'Acme', { avatarUrl: 'https://acme.example/a.png' });
  const globex = await createTestOrg(service, 'Globex');
  for (const [name, orgId] of [
    ['Code', acme.id],
    ['Blog', acme.id],
    ['Other', globex.id],
    ['Veiled', globex.id],
    ['Alone', null],
  ] as const) {
    sources.set(name, (await createTestSource(service, name, { orgId })).id);
  }
  await service.patch(`/v1/sources/${sources.get('Veiled')}`, { isHidden: true });
  await addReleases('Code', [{ title: 'Anchor', publishedAt: ago(1), content: long(wings) }]);
  await addReleases('Blog', [
    {
      title: 'Near',
      publishedAt: ago(2),
      content: long(wings),
      media: [
        { type: 'video', url: 'https://acme.example/v.mp4' },
        { type: 'image', url: 'https://acme.example/i.png', alt: 'Wings' },
      ],
    },
    { title: 'Old', publishedAt: ago(2_000), content: long(wings) },
    { title: 'Short', publishedAt: ago(2), content: wings },
    { title: 'Ahead', publishedAt: ago(-2), content: long(wings) },
    { title: 'Taken down', publishedAt: ago(2), content: long(wings) },
    { title: 'Covering', publishedAt: ago(2), content: long(wings) },
  ]);
  await addReleases('Other', [{ title: 'Elsewhere', publishedAt: ago(2), content: long(wings) }]);
  await addReleases('Veiled', [{ title: 'Secret', publishedAt: ago(2), content: long(wings) }]);
  const { status } = await service.post(`/v1/releases/${releases.get('Near')}/coverage`, {
    coverageIds: [releases.get('Covering')],
  });
  expect(status).toBe(201);
  await service.post('/v1/releases/batch-suppress', { ids: [releases.get('Taken down')] });
  await world.addSources([
    { id: sources.get('Code')!, about: 'Rockets with wings and engines' },
    { id: sources.get('Blog')!, about: 'Stories about rockets and engines' },
    { id: sources.get('Other')!, about: 'Rockets with wings' },
    { id: sources.get('Veiled')!, about: 'Rockets with wings and engines' },
    { id: sources.get('Alone')!, about: 'Cooking of vegetables' },
  ]);
});
afterAll(async () => {
  await service.close();
  await world.close();
});
afterEach(() => world.mend());

const related = (title: string, query = '', options = {}) =>
  service.get(`/v1/related/releases?release=${releases.get(title) ?? title}${query}`, options);
const titles = ({ status, text, body }: HttpAnswer): string[] => {
  expect(status, text).toBe(200);
  return body.items.map(({ title }: { title: string }) => title);
};
const relatedSources = (source: string, query = '') => service.get(`/v1/related/sources?source=${source}${query}`);
const names = ({ status, text, body }: HttpAnswer): string[] => {
  expect(status, text).toBe(200);
  return body.items.map(({ name }: { name: string }) => name);
};

describe('related releases', () => {
  it('are near, new ones first and short ones last, without what nobody sees', async () => {
    const answer = await related('Anchor', '&limit=20');
    expect(titles(answer)).toEqual(expect.arrayContaining(['Near', 'Elsewhere']));
    expect(titles(answer).slice(2)).toEqual(['Old', 'Short']);
    expect(answer.body).toMatchObject({ scope: 'global', degraded: false });
    expect(answer.body).not.toHaveProperty('degradedReason');
    const near = answer.body.items.find(({ title }: { title: string }) => title === 'Near');
    expect(near.thumbnail).toEqual({ url: 'https://acme.example/i.png', alt: 'Wings' });
    expect(near.score).toBeGreaterThan(0.9);
    expect(near).not.toHaveProperty('content');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=60');
  });

  it('are of the same org where that is asked for, and as many as are asked for', async () => {
    expect(titles(await related('Anchor', '&scope=org'))).toEqual(['Near', 'Old', 'Short']);
    expect(titles(await related('Anchor', '&scope=org&limit=1'))).toEqual(['Near']);
    expect(titles(await related(`${releases.get('Anchor')}-any-words`, '&scope=org&limit=1'))).toEqual(['Near']);
  });

  it('are kept for a while, but what is no longer seen is never shown', async () => {
    await addReleases('Other', [
      { title: 'Fading anchor', publishedAt: ago(1), content: long('A submarine dives.') },
      { title: 'Fading', publishedAt: ago(1), content: long('A submarine dives deeper.') },
    ]);
    const ask = (options = {}) => related('Fading anchor', '&limit=1', options);
    const first = await ask();
    expect([titles(first), first.headers.get('x-cache')]).toEqual([['Fading'], 'MISS']);
    const second = await ask();
    expect([second.body, second.headers.get('x-cache')]).toEqual([first.body, 'HIT']);
    await service.post(`/v1/releases/${releases.get('Fading')}/suppress`, {});
    const third = await ask();
    expect(titles(third)).not.toContain('Fading');
    expect(third.headers.get('x-cache')).toBe('HIT');
    const position = await service.registry.eventStore.head();
    await world.passTo(position);
    const waiting = await ask({ headers: { 'X-Service-Min-Position': String(position) } });
    expect(waiting.headers.get('x-cache')).toBe('MISS');
  });

  it('are found anew after five minutes, also where an answer was made of neighbours that were known', async () => {
    const about = 'A tunnel is dug.';
    await addReleases('Other', [{ title: 'Aging anchor', publishedAt: ago(1), content: long(about) }]);
    const ask = async (limit: number) => {
      const answer = await related('Aging anchor', `&limit=${limit}`);
      return { isNewcomerShown: titles(answer).includes('Newcomer'), cache: answer.headers.get('x-cache') };
    };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      expect(await ask(19)).toEqual({ isNewcomerShown: false, cache: 'MISS' });
      await addReleases('Other', [{ title: 'Newcomer', publishedAt: ago(1), content: long(about) }]);
      vi.setSystemTime(Date.now() + 299_000);
      for (const _ of ['made', 'ready']) expect(await ask(20)).toEqual({ isNewcomerShown: false, cache: 'HIT' });
      vi.setSystemTime(Date.now() + 1_000);
      expect(await ask(20)).toEqual({ isNewcomerShown: true, cache: 'MISS' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('cannot be told without vectors', async () => {
    const [lone] = await ingestInto(service, sources.get('Alone')!, [{ title: 'Lone', content: long('Soup.') }]);
    const reasonOf = async () => {
      const { status, body, headers } = await service.get(`/v1/related/releases?release=${lone}`);
      expect([status, body.items, body.degraded, headers.get('x-cache')]).toEqual([200, [], true, 'MISS']);
      return body.degradedReason;
    };
    expect(await reasonOf()).toBe('anchor_not_embedded');
    await world.addReleases(service, [lone!], { withVectors: false });
    expect(await reasonOf()).toBe('anchor_not_embedded');
    world.reading.embedder = null;
    expect(await reasonOf()).toBe('not_configured');
    world.mend();
    world.reading.index = async () => null;
    expect(await reasonOf()).toBe('anchor_not_embedded');
    world.mend();
    await world.addReleases(service, [lone!]);
    world.breakIndex({ search: () => Promise.reject(new VectorsUnavailable('loading')) });
    expect(await reasonOf()).toBe('vector_index_unavailable');
    world.mend();
    for (const error of [new BackendUnavailable('OpenSearch'), new IndexUnavailable('damaged')]) {
      world.reading.index = () => Promise.reject(error);
      expect(await reasonOf()).toBe('vector_index_unavailable');
      world.mend();
    }
    expect((await service.get(`/v1/related/releases?release=${lone}`)).body.degraded).toBe(false);
  });

  it.each([
    ['', 400, 'missing_parameter'],
    ['release=', 400, 'missing_parameter'],
    ['release=rel_000000000000000000000', 404, 'not_found'],
    ['release=nope', 404, 'not_found'],
    ['release=nope&scope=everything', 400, 'invalid_parameter'],
    ['release=nope&limit=0', 400, 'invalid_parameter'],
  ])('are refused: %s', async (query, status, code) => {
    const answer = await service.get(`/v1/related/releases?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('of what is hidden are for admins', async () => {
    expect((await related('Secret')).status).toBe(404);
    expect((await related('Ahead')).status).toBe(404);
    expect(titles(await related('Secret', '&limit=2', { key: rootApiKey }))).toHaveLength(2);
    expect((await related('Secret')).status).toBe(404);
  });
});

describe('related sources', () => {
  it('are about the same', async () => {
    const answer = await relatedSources('code');
    expect(names(answer)).toEqual(['Other', 'Blog', 'Alone']);
    expect(answer.body).toMatchObject({ scope: 'global', degraded: false });
    expect(answer.body.items[1]).toEqual({
      id: sources.get('Blog'),
      slug: 'blog',
      name: 'Blog',
      type: 'scrape',
      url: 'https://example.com/blog/changelog',
      orgSlug: 'acme',
      orgName: 'Acme',
      orgAvatarUrl: 'https://acme.example/a.png',
      releaseCount: 3,
      latestDate: expect.stringMatching(/Z$/),
      latestTitle: expect.stringMatching(/^(Near|Short)$/),
      latestVersion: null,
      recentCount: 2,
      score: expect.any(Number),
    });
    expect((await relatedSources('code')).headers.get('x-cache')).toBe('HIT');
  });

  it('may be of the same org, or not of one', async () => {
    expect(names(await relatedSources('code', '&scope=org'))).toEqual(['Blog']);
    expect(names(await relatedSources('alone', '&scope=org'))).toEqual([]);
    expect(names(await relatedSources('code', '&excludeOrgSlug=acme'))).toEqual(['Other', 'Alone']);
    expect(names(await relatedSources('code', '&excludeOrgSlug=nobody'))).toEqual(['Other', 'Blog', 'Alone']);
    expect(names(await relatedSources(sources.get('Code')!, '&limit=1'))).toEqual(['Other']);
  });

  it('are never shown once they are hidden', async () => {
    expect(names(await relatedSources('alone'))).toContain('Other');
    await service.patch('/v1/orgs/globex', { isHidden: true });
    const hidden = await relatedSources('alone');
    expect([names(hidden).includes('Other'), hidden.headers.get('x-cache')]).toEqual([false, 'HIT']);
    await service.patch('/v1/orgs/globex', { isHidden: false });
  });

  it('are refused without a source that is meant', async () => {
    const codeOf = ({ status, body }: HttpAnswer) => [status, body.error?.code];
    expect(codeOf(await service.get('/v1/related/sources'))).toEqual([400, 'missing_parameter']);
    expect(codeOf(await relatedSources('nope'))).toEqual([404, 'not_found']);
    expect(codeOf(await relatedSources('veiled'))).toEqual([404, 'not_found']);
    expect(codeOf(await relatedSources('code', '&scope=all'))).toEqual([400, 'invalid_parameter']);
    const twin = await createTestOrg(service, 'Twin');
    await createTestSource(service, 'Code', { orgId: twin.id, url: 'https://twin.example/code' });
    expect(codeOf(await relatedSources('code'))).toEqual([409, 'ambiguous_slug']);
    const bare = await createTestSource(service, 'Bare');
    expect((await relatedSources(bare.id)).body).toMatchObject({ items: [], degradedReason: 'anchor_not_embedded' });
  });
});
