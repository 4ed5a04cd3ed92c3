import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemResolver } from '../../src/adapters/system/resolver.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { createSourceFetchers } from '../../src/compose/source-fetchers.ts';
import { createReadingThread, type ReadingThread } from '../../src/compose/threads/reading-thread.ts';
import { fetchSettingsOf } from '../../src/config/fetch-settings.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { extractiveProvider } from '../../src/generation/extractive/extractive-provider.ts';
import type { ContributingRelease } from '../../src/generation/content-provider.ts';
import type { SourceToFetch } from '../../src/ingest/source-fetcher.ts';

const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme</title><link>https://acme.example/</link>
<item><guid>1</guid><title>v1.2.0</title><pubDate>Sun, 01 Mar 2026 10:00:00 GMT</pubDate>
<description>&lt;p&gt;Added a &lt;b&gt;door&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>`;

describe('reading thread', () => {
  let base = '';
  let reading: ReadingThread;
  const workers: Worker[] = [];
  const fatal: Error[] = [];
  const remember = (worker: Worker) => void workers.push(worker);
  const server = createServer((request, response) => {
    if (request.url === '/feed')
      response.writeHead(200, { 'content-type': 'application/rss+xml', etag: '"1"' }).end(feed);
    else if (request.url === '/busy') response.writeHead(429, { 'retry-after': '120' }).end();
    else if (request.url === '/page') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<link rel="alternate" type="application/rss+xml" href="${base}/feed">`);
    }
    // Any other never answers.
  });
  const settings = fetchSettingsOf(readConfig({ FETCH_ALLOW_PRIVATE_TARGETS: 'on' }));
  const sourceAt = (path: string): SourceToFetch => ({
    id: 'src_1',
    type: 'feed',
    url: `${base}${path}`,
    metadata: {},
    memory: {},
  });
  const soon = () => systemClock.nowMs() + 20_000;

  beforeAll(async () => {
    process.on('worker', remember);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    reading = createReadingThread({ settings, clock: systemClock, onFatal: (error) => void fatal.push(error) });
  });
  afterAll(async () => {
    process.off('worker', remember);
    await reading.close();
    server.closeAllConnections();
    server.close();
  });

  it('starts only when there is something to read', () => {
    expect(workers).toHaveLength(0);
  });

  it('finds what the fetchers find', async () => {
    const http = createHttpClient();
    const here = createSourceFetchers({ http, resolver: systemResolver, clock: systemClock }, settings);
    const direct = await here.feed.fetch(sourceAt('/feed'), soon());
    await http.close();
    expect(direct.items).toHaveLength(1);
    expect(await reading.fetchers.feed.fetch(sourceAt('/feed'), soon())).toEqual(direct);
    expect(workers).toHaveLength(1);
  });

  it('tells of failures whole', async () => {
    const failed = reading.fetchers.feed.fetch(sourceAt('/busy'), soon());
    await expect(failed).rejects.toMatchObject({
      name: 'FetchFailed',
      reason: 'limited',
      status: 429,
      retryAfterMs: 120_000,
    });
  });

  it('looks for what has moved, where that can be looked for', async () => {
    const { feed: feeds, scrape } = reading.fetchers;
    const found = await feeds.rediscover!(sourceAt('/page'), soon());
    expect(found).toEqual({ feedUrl: `${base}/feed`, foundFrom: `${base}/page` });
    expect(await scrape.rediscover!(sourceAt('/page'), soon())).toBeNull();
  });

  it('picks the sentences that the provider picks', async () => {
    const release: ContributingRelease = {
      id: 'rel_1',
      sourceId: 'src_1',
      sourceName: 'Acme',
      headline: 'Acme 1.0.0',
      title: '1.0.0',
      version: '1.0.0',
      url: null,
      webUrl: 'https://registry.example/releases/rel_1',
      publishedAt: '2026-03-01T10:00:00.000Z',
      fetchedAt: '2026-03-01T10:00:00.000Z',
      breaking: 'unknown',
      importance: null,
      text: '- Added a door that opens by itself.\n- Fixed a window that could not be closed.',
    };
    const org = { name: 'Acme' };
    const direct = await extractiveProvider.overviewOf(org, [release]);
    expect(direct?.citations.length).toBeGreaterThan(0);
    expect(await reading.extractive.overviewOf(org, [release])).toEqual(direct);
    const window = { type: 'monthly', year: 2026, month: 3 } as const;
    const summarized = { releases: [release], count: 1 };
    const summary = await extractiveProvider.summaryOf(org, window, summarized);
    expect(await reading.extractive.summaryOf(org, window, summarized)).toBe(summary);
  });

  it('does not wait for a third party when it is closed', async () => {
    const waiting = reading.fetchers.feed.fetch(sourceAt('/never'), soon());
    const refused = expect(waiting).rejects.toThrow('The reading thread ended');
    await once(server, 'request');
    await reading.close();
    await refused;
    expect(fatal).toEqual([]);
  });
});
