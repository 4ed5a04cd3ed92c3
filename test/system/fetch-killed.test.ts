import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmbeddedEventStore } from '../../src/adapters/embedded/event-store/event-store.ts';
import { upcasters } from '../../src/domain/upcasters.ts';
import { createEventCodec } from '../../src/kernel/event-codec.ts';
import { eventually } from '../spec/eventually.ts';
import { endLeases } from '../spec/killed/end-leases.ts';
import { endFetchClaim, fetchTurnAtRest } from '../spec/killed/fetch-turns-at-rest.ts';
import { type ServedRegistry, serveRegistry, stopRegistry } from '../spec/processes/registry-process.ts';
import { createTempFolder } from '../spec/temp-folder.ts';
import { page, type SitePage, type SiteStandin, startSiteStandin } from '../standin/site/site-standin.ts';

const folder = createTempFolder();
const dataDir = folder.path;
const key = 'root-key-of-the-fetch-test';
let site: SiteStandin;

beforeAll(async () => {
  site = await startSiteStandin();
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

const settings = {
  ROOT_API_KEY: key,
  FETCH_SCHEDULE: 'on',
  FETCH_ALLOW_PRIVATE_TARGETS: 'on',
  CONTENT_PROVIDER: 'off',
};
const serve = () => serveRegistry(dataDir, ['--no-demo'], settings);

const send = async ({ url }: ServedRegistry, method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}/v1${path}`, init);
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text);
};

/** So long that they go in as several batches. */
const versions = Array.from({ length: 24 }, (_, minor) => `1.${minor}.0`);
const text = 'A word or two. '.repeat(20_000);
const entries = versions.map(
  (version) => `<item><title>Kit ${version}</title><guid>${version}</guid><description>${text}</description></item>`,
);
const feed = `<rss version="2.0"><channel>${entries.join('')}</channel></rss>`;
const xml = { 'content-type': 'application/rss+xml' };
/** Half of it, and then nothing any more. */
const dripping: SitePage = (_, response) => void response.writeHead(200, xml).write(feed.slice(0, feed.length / 2));

/** What is stored, as another process sees it. */
async function openStored() {
  const codec = createEventCodec(upcasters);
  const store = await createEmbeddedEventStore({ folder: dataDir, codec, readonly: true, onFatal: () => {} });
  const indexed = async () => {
    const { events } = await store.readAll({ afterPosition: 0, limit: 10_000, types: ['ReleaseIndexed.v1'] });
    return events.map(({ stream }) => stream.id);
  };
  return { indexed, close: store.close };
}

const kill = async (served: ServedRegistry, sourceId: string) => {
  served.child.kill('SIGKILL');
  await served.exited;
  expect((await fetchTurnAtRest(dataDir, sourceId))?.claim).not.toBeNull(); // it was taken
  endLeases(dataDir);
  await endFetchClaim(dataDir, sourceId);
};

it('a fetch that is killed while it reads, and again while it stores, is done by the next process once', async () => {
  site.put('/feed', dripping);
  let served = await serve();
  const source = { name: 'Kit', type: 'feed', url: `${site.url}/feed`, slug: 'kit' };
  const { id } = await send(served, 'POST', '/sources', source);
  await eventually('half an answer is there', () => site.openCount() === 1, { withinMs: 60_000 });
  await kill(served, id);

  const stored = await openStored();
  expect(await stored.indexed()).toEqual([]);
  site.put('/feed', page(feed, xml));
  served = await serve();
  await eventually('something is stored', async () => (await stored.indexed()).length > 0, {
    withinMs: 60_000,
    everyMs: 1,
  });
  await kill(served, id);
  const before = (await stored.indexed()).length;

  served = await serve();
  const log = async () => (await send(served, 'GET', `/sources/${id}/fetch-log`)).items;
  await eventually('it is fetched to its end', async () => (await log()).length > 0, { withinMs: 60_000 });
  const streams = await stored.indexed();
  expect([streams.length, new Set(streams).size]).toEqual([versions.length, versions.length]);
  expect(await log()).toMatchObject([
    {
      status: before < versions.length ? 'success' : 'no_change',
      releasesFound: versions.length,
      releasesInserted: versions.length - before,
      totalReleases: versions.length,
      error: null,
    },
  ]);
  const [{ createdAt }] = await log();
  await stored.close();
  await stopRegistry(served);
  const turn = await fetchTurnAtRest(dataDir, id);
  expect(turn).toMatchObject({ lane: 'scheduled', claim: null, job: null, isScheduled: true });
  expect(turn!.dueMs).toBeGreaterThan(Date.parse(createdAt) + 3 * 3_600_000);
});
