import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSource } from '../../commands/source/create-source.ts';
import { contactChanges, sourceContactsDeclaration } from '../../src/records/source-contacts.ts';
import type { ContactDocument } from '../../src/records/last-fetches.ts';
import { openFetchOutcomes } from '../../src/records/fetching/fetch-outcomes.ts';
import { storeChangelog } from '../../src/use-cases/store-changelog.ts';
import { eventually } from '../spec/eventually.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { type HttpService, noFetches, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestRunners, requestOf } from '../spec/worlds/embedded-registry.ts';
import { type GithubStandin, startGithubStandin } from '../standin/github/github-standin.ts';

let github: GithubStandin;
let service: HttpService;
/** As they were started: the fetcher's is the last, because nobody waits for it. */
const threads: Worker[] = [];
const remember = (thread: Worker) => void threads.push(thread);

beforeAll(async () => {
  process.on('worker', remember);
  github = await startGithubStandin();
  const fetching = { ...noFetches, githubApiUrl: github.url, githubRawUrl: github.rawUrl, isScheduleOn: true };
  service = await startHttpService({ fetching });
  process.off('worker', remember);
});
afterAll(async () => {
  await service.close();
  await github.close();
});

const hourMs = 3_600_000;

let number = 0;
const addSource = async (fields: object = {}) => {
  number += 1;
  const name = `Rocket ${number}`;
  github.put(`acme/rocket-${number}`, { releases: [{ tag: 'v1.1.0' }, { tag: 'v1.0.0' }] });
  const url = `https://github.com/acme/rocket-${number}`;
  return service.create('/v1/sources', { name, url, fetchPriority: 'paused', ...fields });
};
const logOf = async (id: string, search = '') =>
  (await service.get(`/v1/sources/${id}/fetch-log${search}`, { key: rootApiKey })).body;
const nextOf = async (id: string) =>
  (await (await openFetchOutcomes(service.registry.ops)).standingOf(id)).state.nextFetchAfter;
const untilLogged = (id: string, count: number) =>
  eventually(`${count} fetches are logged`, async () => (await logOf(id)).items.length === count);

describe('asking for a fetch', () => {
  it('has it done soon, for a paused source too, under the id that was answered', async () => {
    const { id, slug, name } = await addSource();
    const { status, body } = await service.post(`/v1/sources/${id}/fetch`, undefined);
    expect([status, body]).toEqual([202, { enqueued: true, jobId: expect.stringMatching(/^fet_/), sourceId: id }]);
    await untilLogged(id, 1);
    const { items, pagination } = await logOf(id);
    expect(items).toEqual([
      {
        id: body.jobId,
        sourceId: id,
        sourceName: name,
        sourceSlug: slug,
        orgName: null,
        releasesFound: 2,
        releasesInserted: 2,
        totalReleases: 2,
        status: 'success',
        durationMs: expect.any(Number),
        error: null,
        createdAt: expect.any(String),
      },
    ]);
    expect(pagination).toEqual({ nextCursor: null, limit: 20 });
    const detail = (await service.get(`/v1/sources/${id}`)).body;
    expect(detail.releaseCount).toBe(2);
    expect(detail.lastFetchedAt).not.toBeNull();
    expect(await nextOf(id)).toBeNull();
  });

  it('is told of by what was kept ready of the source, also when nothing new was found', async () => {
    const { id } = await addSource();
    github.put(`acme/rocket-${number}`, { releases: [] });
    const detail = async () => (await service.get(`/v1/sources/${id}`)).body;
    expect((await detail()).lastPolledAt).toBeNull();
    await service.post(`/v1/sources/${id}/fetch`, undefined);
    await untilLogged(id, 1);
    await eventually('the fetch is told of', async () => (await detail()).lastPolledAt !== null);
  });

  it('is granted once a minute, and the same request again is the same job', async () => {
    const { id } = await addSource();
    const path = `/v1/sources/${id}/fetch`;
    const headers = { 'idempotency-key': `fetch-${id}` };
    const first = await service.post(path, { dryRun: true }, { headers });
    const again = await service.post(path, { dryRun: true }, { headers });
    expect(again.body).toEqual(first.body);
    await untilLogged(id, 1);
    const { status, body, headers: answered } = await service.post(path, {});
    expect([status, body.error.code]).toEqual([429, 'rate_limited']);
    const retryAfterSeconds = Number(answered.get('retry-after'));
    expect(body.error.details).toEqual({ policy: 'fetch', limit: 1, windowSeconds: 60, retryAfterSeconds });
    expect(Number(answered.get('retry-after'))).toBeGreaterThan(0);
    expect((await logOf(id)).items.map((item: { status: string }) => item.status)).toEqual(['dry_run']);
    expect((await service.get(`/v1/sources/${id}`)).body.releaseCount).toBe(0);
  });

  it('is refused while one runs, and told which', async () => {
    const { id } = await addSource();
    github.failWith(() => null); // no answer
    try {
      const { body } = await service.post(`/v1/sources/${id}/fetch`, {});
      const second = await service.post(`/v1/sources/${id}/fetch`, {});
      expect([second.status, second.body.error.code]).toEqual([409, 'fetch_in_progress']);
      expect(second.body.error.details).toEqual({ jobId: body.jobId });
    } finally {
      github.failWith(null);
    }
  });

  it('is refused for a source that an agent fills, and for one that is not there', async () => {
    const { id } = await addSource({ type: 'agent' });
    const { status, body } = await service.post(`/v1/sources/${id}/fetch`, {});
    expect([status, body.error.code]).toEqual([400, 'validation_failed']);
    expect((await service.post(`/v1/sources/src_${'0'.repeat(21)}/fetch`, {})).status).toBe(404);
  });

  it('is skipped while fetching is paused for the org', async () => {
    const org = await service.create('/v1/orgs', { name: 'Paused org' });
    await service.patch(`/v1/orgs/${org.slug}`, { fetchPaused: true });
    const { id, slug } = await addSource({ orgId: org.id });
    expect((await service.post(`/v1/orgs/${org.slug}/sources/${slug}/fetch`, {})).status).toBe(202);
    await untilLogged(id, 1);
    expect((await logOf(id)).items[0]).toMatchObject({ status: 'skipped', durationMs: null, orgName: 'Paused org' });
  });
});

describe('the schedule', () => {
  it('comes to a new source by itself, and to one that is no longer paused', async () => {
    const fresh = await addSource({ fetchPriority: 'normal' });
    const paused = await addSource();
    await untilLogged(fresh.id, 1);
    await service.patch(`/v1/sources/${paused.id}`, { fetchPriority: 'low' });
    await untilLogged(paused.id, 1);
    expect(Date.parse((await nextOf(paused.id))!)).toBeGreaterThan(Date.now() + 20 * hourMs);
  });

  it('leaves the sources of a paused org alone, and comes back to them', async () => {
    const org = await service.create('/v1/orgs', { name: 'Pausing org' });
    const { id } = await addSource({ orgId: org.id, fetchPriority: 'normal' });
    await untilLogged(id, 1);
    await service.patch(`/v1/orgs/${org.slug}`, { fetchPaused: true });
    await eventually('it is out of the schedule', async () => (await nextOf(id)) === null);
    await service.patch(`/v1/orgs/${org.slug}`, { fetchPaused: false });
    await untilLogged(id, 2);
  });
});

describe('reading a changelog file', () => {
  it('is answered at once, and has the source fetched whose file nobody has looked after for a day', async () => {
    const { eventStore, ops } = service.registry;
    const clock = createFakeClock(Date.now() - 48 * hourMs);
    const twoDaysAgo = new Date(clock.nowMs()).toISOString();
    const { commands } = createTestRunners(eventStore, clock);
    github.put('acme/read', { releases: [{ tag: 'v1.0.0' }] });
    const { id } = await commands.run(
      createSource,
      { name: 'Read', url: 'https://github.com/acme/read' },
      requestOf(1),
    );
    const file = { path: 'CHANGELOG.md', content: '# Old\n' };
    const services = { ...service.services, commands };
    const { position } = await storeChangelog(services, { sourceId: id, file }, requestOf(2));
    const headers = { 'x-service-min-position': String(position) };
    await service.get(`/v1/sources/${id}`, { headers }); // before that its log is that of a source nobody knows
    await untilLogged(id, 1); // that was just now; from here on it was two days ago, too
    const known = await (await ops.collection<ContactDocument>(sourceContactsDeclaration)).get(id);
    const state = { lastPolledAt: twoDaysAgo, starsFetchedAt: twoDaysAgo };
    expect(await ops.transact(contactChanges(id, known, { state }))).toBe('written');

    const { body } = await service.get(`/v1/sources/${id}/changelog`, { headers });
    expect(body).toMatchObject({ content: '# Old\n', fetchedAt: twoDaysAgo });
    await untilLogged(id, 2);
  });
});

describe('the log of all fetches', () => {
  it('is a bare list, the newest first, of one status where that is asked for', async () => {
    const { id } = await addSource();
    github.put(`acme/rocket-${number}`, { private: true });
    await service.post(`/v1/sources/${id}/fetch`, {});
    await untilLogged(id, 1);
    const of = async (search: string) =>
      (await service.get(`/v1/admin/logs/fetch${search}`, { key: rootApiKey })).body as {
        sourceId: string;
        status: string;
        createdAt: string;
      }[];
    const failed = await of('?status=error');
    expect(failed.map(({ status }) => status).every((status) => status === 'error')).toBe(true);
    expect(failed.map(({ sourceId }) => sourceId)).toContain(id);
    const all = await of('?limit=500');
    expect(all.length).toBeGreaterThan(failed.length);
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect(await of('?limit=1')).toHaveLength(1);
    expect((await service.get('/v1/admin/logs/fetch?status=odd', { key: rootApiKey })).status).toBe(400);
  });

  it('goes on from page to page for one source', async () => {
    const { id } = await addSource({ type: 'agent' });
    for (const title of ['One', 'Two', 'Three']) await service.post(`/v1/sources/${id}/releases`, { title });
    const first = await logOf(id, '?limit=2');
    expect(first.items.map((item: { totalReleases: number }) => item.totalReleases)).toEqual([3, 2]);
    const second = await logOf(id, `?limit=2&cursor=${first.pagination.nextCursor}`);
    expect(second.items.map((item: { totalReleases: number }) => item.totalReleases)).toEqual([1]);
    expect(second.pagination.nextCursor).toBeNull();
  });
});

it('goes on in another thread when that of the fetcher dies', async () => {
  await threads.at(-1)!.terminate();
  const { id } = await addSource();
  expect((await service.post(`/v1/sources/${id}/fetch`, undefined)).status).toBe(202);
  await untilLogged(id, 1);
  expect((await logOf(id)).items[0].status).toBe('success');
});
