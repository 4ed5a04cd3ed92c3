import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FetchFailed } from '../../src/ingest/fetch-failed.ts';
import { type FetchLogEntry, fetchLogDeclaration } from '../../src/records/fetch-log.ts';
import { openLookupMemory } from '../../src/records/lookup-memory.ts';
import { createLookUpRepository } from '../../src/use-cases/look-up-repository.ts';
import {
  type CallOptions,
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
} from '../spec/http/http-service.ts';
import { eventually } from '../spec/eventually.ts';
import { createTestOrg, createTestSource, issueTestToken } from '../spec/http/preamble.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { requestOf } from '../spec/worlds/embedded-registry.ts';
import { type GithubStandin, startGithubStandin } from '../standin/github/github-standin.ts';
import { refused } from '../standin/github/repositories.ts';

let github: GithubStandin;
let service: HttpService;
let writer: string;

beforeAll(async () => {
  github = await startGithubStandin();
  service = await startHttpService({ lookups: { ...noLookups, githubApiUrl: github.url } });
  writer = await issueTestToken(service, 'write');
});
beforeEach(() => github.failWith(null));
afterAll(async () => {
  await service.close();
  await github.close();
});

const lookUp = (coordinate: string, options: CallOptions = {}) =>
  service.post('/v1/lookups', { provider: 'github', coordinate }, { key: writer, ...options });

const asAdmin = { key: rootApiKey };
const tags = (count: number) => Array.from({ length: count }, (_, index) => ({ tag: `v${count - index}.0.0` }));
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

/** Types of everything that was stored since, by stream. */
const eventsSince = async (position: number) => {
  const { events } = await service.registry.eventStore.readAll({ afterPosition: position, limit: 5_000 });
  return events.map(({ type }) => type);
};
const countOf = (types: readonly string[], wanted: string) => types.filter((type) => type === wanted).length;

describe('the first lookup of a repository', () => {
  it('makes a hidden source below a hidden org, with its releases, and announces nothing', async () => {
    github.put('Initech/Kit', {
      releases: [{ tag: 'v2.1.0-rc.1', prerelease: true, publishedAt: hourAgo() }, ...tags(21)],
    });
    const before = await service.registry.eventStore.head();
    const { status, body, headers } = await lookUp('github:initech/KIT');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'indexed',
      source: {
        slug: 'kit',
        name: 'Kit',
        type: 'github',
        url: 'https://github.com/Initech/Kit',
        orgSlug: 'initech',
        orgName: 'Initech',
        isHidden: true,
        discovery: 'on_demand',
        releaseCount: 22,
        latestVersion: 'v21.0.0',
        lastFetchedAt: expect.any(String),
        lastPolledAt: expect.any(String),
        changeDetectedAt: expect.any(String),
      },
      relatedOrg: { slug: 'initech', name: 'Initech' },
    });
    expect(body.releases).toHaveLength(20);
    expect(body.releases[0]).toMatchObject({
      version: 'v2.1.0-rc.1',
      prerelease: true,
      content: 'Notes of v2.1.0-rc.1',
    });
    expect(headers.get('cache-control')).toBe('private, no-store');

    const types = await eventsSince(before);
    expect(countOf(types, 'ReleaseIndexed.v1')).toBe(22);
    expect(countOf(types, 'ReleaseAnnounced.v1')).toBe(0);
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(before);
  });

  it('shows what it made to admins only', async () => {
    github.put('veiled/thing', { releases: tags(1) });
    const { source, releases } = (await lookUp('veiled/thing')).body;
    const paths = ['/v1/orgs/veiled', `/v1/releases/${releases[0].id}`];
    for (const path of paths) {
      expect((await service.get(path)).status, path).toBe(404);
      expect((await service.get(path, asAdmin)).status, path).toBe(200);
    }
    const org = (await service.get('/v1/orgs/veiled', asAdmin)).body;
    expect(org).toMatchObject({ isHidden: true, discovery: 'on_demand', status: 'tracked' });
    expect((await service.get('/v1/orgs?includeEmpty=true&q=veiled')).body.items).toEqual([]);
    expect((await service.get('/v1/releases/latest')).text).not.toContain(source.id);
  });

  it('has an entry in the fetch log', async () => {
    github.put('logged/thing', { releases: tags(3) });
    const { source } = (await lookUp('logged/thing')).body;
    const log = await service.registry.ops.collection<FetchLogEntry>(fetchLogDeclaration);
    const rows = await log.query({ index: 'bySource', equals: { sourceId: source.id }, limit: 10 });
    expect(rows.map(({ doc }) => doc)).toMatchObject([
      { releasesFound: 3, releasesInserted: 3, totalReleases: 3, status: 'success' },
    ]);
  });

  it('takes the entries of a changelog where there are no releases', async () => {
    github.put('written/down', { files: { 'CHANGELOG.md': '## 1.1.0 (2026-02-01)\n\n- Two\n\n## 1.0.0\n\n- One\n' } });
    const { body } = await lookUp('written/down');
    expect(body).toMatchObject({ status: 'indexed', source: { latestVersion: '1.1.0', releaseCount: 2 } });
  });

  it('is one, however many ask at once', async () => {
    github.put('rush/hour', { releases: tags(5) });
    const [before, asked] = [await service.registry.eventStore.head(), github.asked.length];
    const names = ['rush/hour', 'Rush/Hour', 'github:RUSH/hour'];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => lookUp(names[index % 3]!)));
    expect(new Set(answers.map(({ body }) => body.source.id)).size).toBe(1);
    expect(answers.every(({ body }) => ['indexed', 'existing'].includes(body.status))).toBe(true);
    const types = await eventsSince(before);
    expect([countOf(types, 'OrgCreated.v1'), countOf(types, 'SourceCreated.v1')]).toEqual([1, 1]);
    expect(github.asked.slice(asked)).toHaveLength(2);
  });
});

describe('a source that is there', () => {
  it('is found again in any case, and nobody is asked', async () => {
    github.put('again/thing', { releases: tags(2) });
    const first = await lookUp('again/thing');
    const asked = github.asked.length;
    for (const coordinate of ['again/thing', 'AGAIN/Thing', 'github:again/thing']) {
      const { body, headers } = await lookUp(coordinate);
      expect(body).toEqual({ ...first.body, status: 'existing' });
      expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    }
    expect(github.asked).toHaveLength(asked);
  });

  it('is found by whoever made it, with or without an org, also by its metadata', async () => {
    const asked = github.asked.length;
    await createTestSource(service, 'Alone', { url: 'https://github.com/curated/alone' });
    const org = await createTestOrg(service, 'Curated');
    await createTestSource(service, 'Pages', {
      orgId: org.id,
      metadata: { githubUrl: 'https://github.com/Curated/pages' },
    });
    const relatedOrg = { id: org.id, slug: 'curated', name: 'Curated' };
    expect((await lookUp('curated/alone')).body).toMatchObject({
      status: 'existing',
      source: { name: 'Alone' },
      relatedOrg,
    });
    expect((await lookUp('curated/pages')).body).toMatchObject({
      status: 'existing',
      source: { name: 'Pages' },
      relatedOrg,
    });
    expect(github.asked).toHaveLength(asked);
  });

  it('that an admin has hidden is shown to admins, and others learn that it is there', async () => {
    const url = 'https://github.com/discreet/thing';
    await createTestSource(service, 'Discreet', { url, isHidden: true });
    expect((await lookUp('discreet/thing')).body).toEqual({
      status: 'existing',
      source: null,
      releases: [],
      relatedOrg: null,
    });
    expect((await lookUp('discreet/thing', asAdmin)).body).toMatchObject({
      status: 'existing',
      source: { name: 'Discreet' },
    });
  });

  it('is another one after the first was deleted, itself or with its org', async () => {
    github.put('phoenix/bird', { releases: tags(1) });
    const ids = [];
    for (const deletion of [({ id }: { id: string }) => `/v1/sources/${id}`, () => '/v1/orgs/phoenix', null]) {
      const { body } = await lookUp('phoenix/bird');
      expect(body).toMatchObject({ status: 'indexed', source: { orgSlug: 'phoenix', slug: 'bird', releaseCount: 1 } });
      ids.push(body.source.id);
      if (deletion !== null) expect((await service.remove(deletion(body.source))).status).toBe(200);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('is another one after an admin has given the first to another repository', async () => {
    github.put('given/away', { releases: tags(1) });
    const { id } = (await lookUp('given/away')).body.source;
    await service.patch(`/v1/sources/${id}`, { url: 'https://github.com/given/other' });
    const { body } = await lookUp('given/away');
    expect(body).toMatchObject({ status: 'indexed', source: { url: 'https://github.com/given/away' } });
    expect(body.source.id).not.toBe(id);
  });

  it('of a repository that was renamed is found by both names', async () => {
    github.put('mover/after', { releases: tags(1) });
    github.put('mover/before', { renamedTo: 'mover/after' });
    const first = (await lookUp('mover/before')).body;
    expect(first).toMatchObject({ status: 'indexed', source: { url: 'https://github.com/mover/after' } });
    for (const coordinate of ['mover/before', 'mover/after']) {
      expect((await lookUp(coordinate)).body).toMatchObject({ status: 'existing', source: { id: first.source.id } });
    }
  });
});

describe('the org of a repository', () => {
  it('is the one that its owner is linked to', async () => {
    const org = await createTestOrg(service, 'Umbrella Corp');
    await service.post('/v1/orgs/umbrella-corp/accounts', { platform: 'github', handle: 'Umbrella' });
    github.put('umbrella/virus', { releases: tags(1) });
    const { body } = await lookUp('umbrella/virus');
    expect(body).toMatchObject({ status: 'indexed', source: { orgSlug: 'umbrella-corp', isHidden: true } });
    expect(body.relatedOrg.id).toBe(org.id);
    expect((await lookUp('umbrella/nothing')).body).toMatchObject({ status: 'not_found', relatedOrg: { id: org.id } });
  });

  it('is else the one that has the name of the owner', async () => {
    const org = await createTestOrg(service, 'Hooli');
    github.put('HooLi/box', { releases: tags(1) });
    expect((await lookUp('hooli/box')).body).toMatchObject({ status: 'indexed', relatedOrg: { id: org.id } });
  });

  it('is not one whose name only looks like that of the owner', async () => {
    for (const owner of ['jane-acme', 'jane_acme']) github.put(`${owner}/box`, { releases: tags(1) });
    const [first, second] = [(await lookUp('jane-acme/box')).body, (await lookUp('jane_acme/box')).body];
    expect(first.relatedOrg).toMatchObject({ slug: 'jane-acme' });
    expect(second.relatedOrg).toMatchObject({ name: 'jane_acme' });
    expect(second.relatedOrg.id).not.toBe(first.relatedOrg.id);
  });

  it('is the same for all repositories of an owner, also where its name is reserved', async () => {
    github.put('docs/one', { releases: tags(1) });
    github.put('docs/two', { releases: tags(1) });
    const [one, two] = await Promise.all([lookUp('docs/one'), lookUp('docs/two')]);
    expect(one.body).toMatchObject({ status: 'indexed', relatedOrg: { slug: 'docs-2', name: 'docs' } });
    expect(two.body.relatedOrg).toEqual(one.body.relatedOrg);
  });

  it('that an admin has hidden is shown to nobody else', async () => {
    const { id } = await createTestOrg(service, 'Shy');
    await service.patch('/v1/orgs/shy', { isHidden: true });
    expect((await lookUp('shy/nothing')).body.relatedOrg).toBeNull();
    expect((await lookUp('shy/nothing', asAdmin)).body.relatedOrg).toMatchObject({ id });
  });

  it('is no stub any more', async () => {
    await service.create('/v1/orgs/stub', {
      name: 'Stubby',
      domain: 'stubby.example',
      locations: [{ github: 'stubby/a' }],
    });
    github.put('stubby/b', { releases: tags(1) });
    expect((await lookUp('stubby/b')).body.status).toBe('indexed');
    expect((await service.get('/v1/orgs/stubby')).body.status).toBe('tracked');
  });
});

describe('nothing is made', () => {
  const nothing = { source: null, releases: [], relatedOrg: null };

  it.each([
    ['empty', 'hollow/shell', {}],
    ['not_found', 'nobody/nothing', null],
  ])('of what is %s, which is remembered', async (status, coordinate, repository) => {
    if (repository !== null) github.put(coordinate, repository);
    const before = await service.registry.eventStore.head();
    expect((await lookUp(coordinate)).body).toEqual({ status, ...nothing });
    github.put(coordinate, { releases: tags(1) });
    const asked = github.asked.length;
    expect((await lookUp(coordinate.toUpperCase())).body).toEqual({ status, ...nothing });
    expect(github.asked).toHaveLength(asked);
    expect(await service.registry.eventStore.head()).toBe(before);
  });

  it('while GitHub asks for patience, which is not remembered', async () => {
    github.put('patient/thing', { releases: tags(1) });
    github.failWith(() => refused(429, 'Too many', { 'retry-after': '60' }));
    expect((await lookUp('patient/thing')).body).toEqual({ status: 'deferred', ...nothing });
    github.failWith(null);
    expect((await lookUp('patient/thing')).body.status).toBe('indexed');
  });

  it('of what can be no repository', async () => {
    const asked = github.asked.length;
    expect((await lookUp('acme/..')).body).toEqual({ status: 'not_found', ...nothing });
    expect(github.asked).toHaveLength(asked);
  });

  it.each([
    ['acme'],
    ['acme/kit/more'],
    ['gitlab:acme/kit'],
    ['acme/k it'],
    ['https://github.com/acme/kit'],
    ['acme/'],
    [`acme/${'x'.repeat(101)}`],
  ])('of %s, which is refused', async (coordinate) => {
    expect((await lookUp(coordinate)).body.error).toMatchObject({
      code: 'validation_failed',
      details: { issues: [{ path: 'coordinate' }] },
    });
  });

  it('of another provider', async () => {
    const { status } = await service.post('/v1/lookups', { provider: 'gitlab', coordinate: 'acme/kit' });
    expect(status).toBe(400);
  });
});

it('leaves a source alone that somebody has made, whatever it says of itself', async () => {
  const url = 'https://github.com/promised/thing';
  const { id } = await createTestSource(service, 'Promised', { url, discovery: 'on_demand' });
  github.put('promised/thing', { releases: tags(2) });
  const before = await service.registry.eventStore.head();
  expect((await lookUp('promised/thing')).body).toMatchObject({ status: 'existing', source: { id, releaseCount: 0 } });
  expect(await eventsSince(before)).toEqual([]);
});

describe('a repeat with the same key', () => {
  it('gets the same answer, until a release in it is erased', async () => {
    github.put('repeated/thing', { releases: tags(3) });
    const headers = { 'idempotency-key': 'a-lookup-of-releases' };
    const first = await lookUp('repeated/thing', { headers });
    expect(first.body.status).toBe('indexed');
    const second = await lookUp('repeated/thing', { headers });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.text).toBe(first.text);

    const [, , { id }] = first.body.releases;
    expect((await service.remove(`/v1/releases/${id}`)).status).toBe(200);
    const third = await lookUp('repeated/thing', { headers });
    expect(third.headers.get('idempotency-replayed')).toBeNull();
    expect(third.body).toMatchObject({ status: 'existing', source: { releaseCount: 2 } });
    expect(third.text).not.toContain(id);
  });

  it('tells nothing of an org that was deleted for good meanwhile', async () => {
    const { id } = await createTestOrg(service, 'Vanishing');
    const headers = { 'idempotency-key': 'a-lookup-below-an-org' };
    const first = await lookUp('vanishing/unknown', { headers });
    expect(first.body).toMatchObject({ status: 'not_found', relatedOrg: { id } });
    await service.remove(`/v1/orgs/${id}?hard=true`);
    await eventually('nothing is kept of it', async () => {
      const repeat = await lookUp('vanishing/unknown', { headers });
      return repeat.headers.get('idempotency-replayed') === null;
    });
  });
});

describe('a third party that cannot be read', () => {
  /** With a third party that always fails so. */
  const lookUpFailing = async (error: Error) => {
    const { services, registry } = service;
    const log = createKeptLog();
    const lookUpFrom = createLookUpRepository({
      ...services,
      log,
      eventStore: registry.eventStore,
      lookupMemory: await openLookupMemory(registry.ops, services.clock),
      github: { fetch: () => Promise.reject(error) },
      backfillDays: 7,
    });
    return { outcome: lookUpFrom('failing/thing', requestOf(1)), log };
  };

  it('is named in the log', async () => {
    const { outcome, log } = await lookUpFailing(new FetchFailed('server_error', 502));
    expect(await outcome).toMatchObject({ status: 'deferred', sourceId: null });
    expect(log.lines).toEqual([{ level: 'warn', sentence: 'a lookup is put off: the third party could not be read' }]);
  });

  it('is not blamed for a mistake of ours', async () => {
    const { outcome, log } = await lookUpFailing(new TypeError('a slip'));
    await expect(outcome).rejects.toThrow('a slip');
    expect(log.lines).toEqual([]);
  });
});
