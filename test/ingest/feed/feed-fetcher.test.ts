import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../../src/delivery/target-guard.ts';
import { createFeedFetcher } from '../../../src/ingest/feed/feed-fetcher.ts';
import type { FetchFailed } from '../../../src/ingest/fetch-failed.ts';
import { rememberedPlace } from '../../../src/ingest/remembered-place.ts';
import type { SourceToFetch } from '../../../src/ingest/source-fetcher.ts';
import { createVideoFetcher } from '../../../src/ingest/video/video-fetcher.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string | Buffer;
}

const http = createHttpClient();
const asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
const answers = new Map<string, Answer>();
let base = '';

/** A site that knows its validators, as web servers do. */
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  asked.push({ path, headers: request.headers });
  const answer = answers.get(path) ?? { status: 404, body: 'none' };
  const etag = `"${createHash('sha256').update(answer.body).digest('hex')}"`;
  if (answer.status === undefined && request.headers['if-none-match'] === etag) response.writeHead(304).end();
  else {
    const headers = { etag, 'last-modified': 'Sun, 01 Mar 2026 10:00:00 GMT', ...answer.headers };
    response.writeHead(answer.status ?? 200, headers).end(answer.body);
  }
});
server.keepAliveTimeout = 0; // an idle connection that is closed at the wrong moment would be one more failure

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  answers.clear();
});
afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const targetsOf = (allowPrivate: boolean) =>
  createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate });
const feedsWith = (allowPrivate = true) =>
  createFeedFetcher({ http, targets: targetsOf(allowPrivate), clock: systemClock });
const soon = () => systemClock.nowMs() + 60_000;

const sourceOf = (path: string, changed: Partial<SourceToFetch> = {}): SourceToFetch => ({
  id: 'src_5dR8mK1vQz0YtH6nBx3Lp',
  type: 'feed',
  url: `${base}${path}`,
  metadata: {},
  memory: {},
  ...changed,
});

const feed = (title: string) => `<rss><channel><item><title>${title}</title><link>/x</link></item></channel></rss>`;
const page = (href: string) => `<!doctype html><link rel="alternate" type="application/rss+xml" href="${href}"><p>Hi`;

const failure = (source: SourceToFetch, allowPrivate = true) =>
  feedsWith(allowPrivate)
    .fetch(source, soon())
    .then(
      () => 'no failure',
      ({ reason, status, retryAfterMs }: FetchFailed) => [reason, status, retryAfterMs],
    );

describe('a feed', () => {
  it('is fetched once, and then only when it has changed', async () => {
    answers.set('/feed', { body: feed('One') });
    const first = await feedsWith().fetch(sourceOf('/feed'), soon());
    expect(first).toMatchObject({ isNew: true, items: [{ title: 'One', url: `${base}/x` }], leftOut: [], stars: null });
    const second = await feedsWith().fetch(sourceOf('/feed', { memory: first.memory }), soon());
    expect(second).toMatchObject({ isNew: false, items: [], memory: first.memory });
    expect(asked[1]?.headers).toMatchObject({
      'if-none-match': first.memory['etag'],
      'if-modified-since': 'Sun, 01 Mar 2026 10:00:00 GMT',
    });
    answers.set('/feed', { body: feed('Two') });
    const third = await feedsWith().fetch(sourceOf('/feed', { memory: second.memory }), soon());
    expect(third).toMatchObject({ isNew: true, items: [{ title: 'Two' }] });
    expect(third.memory['etag']).not.toBe(first.memory['etag']);
  });

  it('is where the metadata says, and is not asked for with what another one left', async () => {
    answers.set('/feed', { body: feed('Old') });
    answers.set('/new', { body: feed('New') });
    const { memory } = await feedsWith().fetch(sourceOf('/feed'), soon());
    const moved = sourceOf('/feed', { metadata: { feedUrl: `${base}/new` }, memory });
    expect(await feedsWith().fetch(moved, soon())).toMatchObject({ items: [{ title: 'New' }] });
    expect(asked[1]?.headers).not.toHaveProperty('if-modified-since');
  });

  it('keeps the addresses by which its entries are known, whoever else comes to share them', async () => {
    const one = '<item><guid>g1</guid><title>Kit 1.0.0</title><link>/get</link></item>';
    const two = '<item><guid>g2</guid><title>Kit 2.0.0</title><link>/get</link></item>';
    let memory: SourceToFetch['memory'] = {};
    const urls: unknown[] = [];
    for (const items of [one, one + two, two, two + one, one]) {
      answers.set('/feed', { body: `<rss><channel>${items}</channel></rss>` });
      const source = sourceOf('/feed', { memory: rememberedPlace(memory) });
      const fetched = await feedsWith().fetch(source, soon());
      urls.push(fetched.items.map(({ version, url }) => [version, url]));
      memory = fetched.memory;
    }
    const [known, other] = [
      ['1.0.0', `${base}/get`],
      ['2.0.0', undefined],
    ];
    expect(urls).toEqual([[known], [known, other], [other], [other, known], [known]]);
  });

  it('gives nobody an address that several entries had, when only one is left', async () => {
    const [one, two] = [1, 2].map((n) => `<item><guid>g${n}</guid><title>Kit ${n}.0.0</title><link>/get</link></item>`);
    answers.set('/feed', { body: `<rss><channel>${one}${two}</channel></rss>` });
    const { memory } = await feedsWith().fetch(sourceOf('/feed'), soon());
    answers.set('/feed', { body: `<rss><channel>${two}</channel></rss>` });
    const { items } = await feedsWith().fetch(sourceOf('/feed', { memory }), soon());
    expect(items).toMatchObject([{ version: '2.0.0' }]);
    expect(items[0]).not.toHaveProperty('url');
  });

  it('is told by what it holds, not by its content type', async () => {
    answers.set('/feed', { body: feed('One'), headers: { 'content-type': 'text/html; charset=utf-16' } });
    expect(await feedsWith().fetch(sourceOf('/feed'), soon())).toMatchObject({ items: [{ title: 'One' }] });
  });

  it('is found on a page, and remembered', async () => {
    answers.set('/changelog', { body: page('/feed') });
    answers.set('/feed', { body: feed('Found') });
    const first = await feedsWith().fetch(sourceOf('/changelog'), soon());
    expect(first).toMatchObject({ items: [{ title: 'Found' }], memory: { feedUrl: `${base}/feed` } });
    expect(await feedsWith().fetch(sourceOf('/changelog', { memory: first.memory }), soon())).toMatchObject({
      isNew: false,
    });
    expect(asked.map(({ path }) => path)).toEqual(['/changelog', '/feed', '/feed']);
  });

  it('that moved is found again on the page of its source', async () => {
    answers.set('/', { body: page('/moved') });
    answers.set('/moved', { body: feed('Moved') });
    const source = sourceOf('/', { metadata: { feedUrl: `${base}/gone` } });
    expect(await failure(source)).toEqual(['unreadable', 404, null]);
    const memory = await feedsWith().rediscover(source, soon());
    expect(await feedsWith().fetch({ ...source, memory: memory! }, soon())).toMatchObject({
      items: [{ title: 'Moved' }],
    });
    answers.set('/', { body: '<html>' });
    expect(await feedsWith().rediscover(source, soon())).toBeNull();
  });

  it('that is longer than is read tells its newest entries', async () => {
    const item = `<item><title>T</title><description>${'x'.repeat(1_000)}</description></item>`;
    answers.set('/feed', { body: `<rss><channel>${item.replace('T', 'First')}${item.repeat(20_000)}</channel></rss>` });
    const { items, leftOut } = await feedsWith().fetch(sourceOf('/feed'), soon());
    expect(items[0]?.title).toBe('First');
    expect(leftOut.at(-1)).toMatchObject({ entry: 'the end of the feed' });
  });
});

describe('a failure is named', () => {
  it.each([
    [404, 'unreadable', undefined, null],
    [410, 'unreadable', undefined, null],
    [400, 'unreadable', undefined, null],
    [401, 'refused', undefined, null],
    [403, 'refused', undefined, null],
    [451, 'refused', undefined, null],
    [429, 'limited', '120', 120_000],
    [503, 'server_error', '7', 7_000],
    [500, 'server_error', 'soon', null],
    [204, 'unreadable', undefined, null],
  ])('%i is %s', async (status, reason, retryAfter, retryAfterMs) => {
    answers.set('/feed', { status, body: '', headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
    expect(await failure(sourceOf('/feed'))).toEqual([reason, status, retryAfterMs]);
  });

  it('when a date says how long to wait', async () => {
    answers.set('/feed', {
      status: 503,
      body: '',
      headers: { 'retry-after': new Date(systemClock.nowMs() + 3_600_000).toUTCString() },
    });
    const [reason, , retryAfterMs] = (await failure(sourceOf('/feed'))) as [string, number, number];
    expect(reason).toBe('server_error');
    expect(Math.round(retryAfterMs / 600_000)).toBe(6);
  });

  it('when there is something else', async () => {
    answers.set('/feed', { body: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]) });
    expect(await failure(sourceOf('/feed'))).toEqual(['unreadable', 200, null]);
    answers.set('/feed', {
      body: `{"version": "https://jsonfeed.org/version/1", "items": [${'"x",'.repeat(3_000_000)}0]}`,
    });
    expect(await failure(sourceOf('/feed'))).toEqual(['too_large', 200, null]);
  });

  it('when nothing is read of it before it is too long', async () => {
    for (const body of [`<rss><channel>${' '.repeat(11_000_000)}`, `<feed>${'<x>y</x>'.repeat(1_400_000)}`]) {
      answers.set('/feed', { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } });
      expect(await failure(sourceOf('/feed'))).toEqual(['too_large', 200, null]);
    }
  });

  it('when a page names no feed, itself, or another page', async () => {
    answers.set('/page', { body: '<html><p>Hi' });
    answers.set('/self', { body: page('/self') });
    answers.set('/circle', { body: page('/page') });
    for (const path of ['/page', '/self', '/circle']) {
      expect(await failure(sourceOf(path)), path).toEqual(['unreadable', 200, null]);
    }
    expect(asked.map(({ path }) => path)).toEqual(['/page', '/self', '/circle', '/page']);
  });

  it('when its address is inside the network, and nobody is asked', async () => {
    expect(await failure(sourceOf('/feed'), false)).toEqual(['blocked', null, null]);
    expect(asked).toEqual([]);
  });

  it('when the time is over', async () => {
    const late = feedsWith().fetch(sourceOf('/feed'), systemClock.nowMs() - 1);
    await expect(late).rejects.toMatchObject({ reason: 'timeout' });
  });
});

describe('a channel of videos', () => {
  const channel = (id: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><entry><title>Kit 5.0</title>` +
    `<link rel="alternate" href="https://video.example/watch?v=${id}"/><published>2026-03-01T10:00:00+00:00</published>` +
    `<media:group><media:thumbnail url="https://i.video.example/${id}.jpg"/><media:description>Line one\nLine two</media:description></media:group></entry></feed>`;
  const videos = () => createVideoFetcher({ feeds: feedsWith(), feedUrl: `${base}/feeds/videos.xml` });
  const youtube = (url: string, video: Record<string, unknown> = {}) =>
    sourceOf('', { type: 'video', url, metadata: { video: { provider: 'youtube', ...video } } });

  it.each([
    ['channel_id=UCa_-1', 'https://www.youtube.com/channel/UCa_-1/videos', {}],
    ['user=acme', 'https://www.youtube.com/user/acme', {}],
    ['playlist_id=PLx', 'https://www.youtube.com/playlist?list=PLx', {}],
    ['channel_id=UCb', 'https://www.youtube.com/@acme', { channelId: 'UCb' }],
    ['playlist_id=PLy', 'https://www.youtube.com/@acme', { playlistId: 'PLy' }],
    ['channel_id=UCc', 'https://www.youtube.com/feeds/videos.xml?channel_id=UCc', {}],
  ])('is asked for by %s', async (query, url, video) => {
    answers.set(`/feeds/videos.xml?${query}`, { body: channel('abc') });
    const fetched = await videos().fetch(youtube(url, video), soon());
    expect(fetched.items).toEqual([
      {
        title: 'Kit 5.0',
        version: '5.0',
        url: 'https://video.example/watch?v=abc',
        publishedAt: '2026-03-01T10:00:00.000Z',
        content: 'Line one\nLine two',
        media: [
          { type: 'image', url: 'https://i.video.example/abc.jpg', linkUrl: 'https://video.example/watch?v=abc' },
        ],
      },
    ]);
    const again = await videos().fetch({ ...youtube(url, video), memory: fetched.memory }, soon());
    expect(again.isNew).toBe(false);
  });

  it('is found on its page where the address does not tell, and remembered', async () => {
    answers.set('/@acme', { body: page('https://www.youtube.com/feeds/videos.xml?channel_id=UCd') });
    answers.set('/feeds/videos.xml?channel_id=UCd', { body: channel('d') });
    const source = youtube(`${base}/@acme`);
    const fetched = await videos().fetch(source, soon());
    expect(fetched.items).toHaveLength(1);
    await videos().fetch({ ...source, memory: fetched.memory }, soon());
    const feedPath = '/feeds/videos.xml?channel_id=UCd';
    expect(asked.map(({ path }) => path)).toEqual(['/@acme', feedPath, feedPath]);
  });

  it('that has no feed is a failure', async () => {
    answers.set('/@acme', { body: '<html>' });
    await expect(videos().fetch(youtube(`${base}/@acme`), soon())).rejects.toMatchObject({ reason: 'unreadable' });
  });

  it('of another host is read from the feed that its page names', async () => {
    answers.set('/acme', { body: page('/acme/rss') });
    answers.set('/acme/rss', { body: feed('Elsewhere') });
    const source = sourceOf('/acme', { type: 'video', metadata: { video: { provider: 'vimeo' } } });
    expect(await videos().fetch(source, soon())).toMatchObject({ items: [{ title: 'Elsewhere' }] });
  });
});
