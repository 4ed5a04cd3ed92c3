import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/adapters/undici/http-client.ts';
import { createSourceFetchers } from '../../../src/compose/source-fetchers.ts';
import { eventually } from '../../spec/eventually.ts';
import { noFetches } from '../../spec/http/http-service.ts';
import type { TempFolder } from '../../spec/temp-folder.ts';
import { type FetchWorld, openFetchWorld } from '../../spec/worlds/fetch-world.ts';
import { createEmptyDataFolder } from '../../spec/worlds/followed-registry.ts';
import {
  page,
  redirectTo,
  type SitePage,
  type SiteStandin,
  startSiteStandin,
} from '../../standin/site/site-standin.ts';

const http = createHttpClient();
let empty: TempFolder;
let world: FetchWorld;
let site: SiteStandin;

beforeAll(async () => {
  [empty, site] = [await createEmptyDataFolder(), await startSiteStandin()];
  world = await openFetchWorld({}, empty);
});
afterAll(async () => {
  await http.close();
  await Promise.all([site.close(), world.close()]);
  empty.remove();
});

/** One process that fetches as the product does, from wherever its settings let it. */
const fetchingProcess = (allowPrivateFetches: boolean, addresses: readonly string[] = []) => {
  const resolver = { addresses: async () => addresses };
  const settings = { ...noFetches, allowPrivateFetches, githubApiUrl: 'https://api.example.com' };
  const places = { githubRawUrl: settings.githubApiUrl, appStoreUrl: settings.githubApiUrl, perHostMax: 0 };
  const videoFeedUrl = settings.githubApiUrl;
  const fetchers = createSourceFetchers(
    { http, resolver, clock: world.clock },
    { ...settings, ...places, videoFeedUrl },
  );
  return world.openProcess({ fetchers });
};

const rss = (items: string) => `<rss version="2.0"><channel><title>F</title>${items}</channel></rss>`;
const item = (title: string) => `<item><title>${title}</title><guid>${title}</guid></item>`;
const zeros = Buffer.alloc(30_000_000);
const brotli = (bytes: Uint8Array) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const packed = (body: Uint8Array, encoding: string) => page(body, { 'content-encoding': encoding });
const laughs = Array.from({ length: 30 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);

const endless: SitePage = (_, response) => {
  response.writeHead(200);
  const more = () => {
    while (response.write('x'.repeat(65_536)));
    response.once('drain', more);
  };
  more();
};
/** A byte now and then, for ever. */
const drip = (response: Parameters<SitePage>[1], write: () => void): void => {
  const timer = setInterval(write, 20);
  response.on('close', () => clearInterval(timer));
};
const slowHead: SitePage = (_, response) => {
  response.socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  drip(response, () => response.socket?.write('x'));
};
const slowBody: SitePage = (_, response) => {
  response.writeHead(200).write('<rss>');
  drip(response, () => response.write('x'));
};

const tooLarge = 'The answer is larger than what is read of one. It answered with the status 200.';
const unreadable = 'The answer is not what a source of this type answers with. It answered with the status 200.';
const notAskedFor = 'The answer is packed in a way that was not asked for.';

/** How each misbehaves, and what the log says of it. */
const hostile: readonly (readonly [string, SitePage, object])[] = [
  [
    'entity-bomb',
    page(`<!DOCTYPE r [<!ENTITY l0 "l">${laughs.join('')}]>${rss(item('&l30;'))}`),
    { status: 'success' },
  ],
  ['gzip-bomb', packed(gzipSync(zeros), 'gzip'), { status: 'error', error: tooLarge }],
  ['deflate-bomb', packed(deflateSync(zeros), 'deflate'), { status: 'error', error: tooLarge }],
  ['brotli-bomb', packed(brotli(zeros), 'br'), { status: 'error', error: tooLarge }],
  ['layered-bomb', packed(gzipSync(gzipSync(zeros)), 'gzip, gzip'), { status: 'error', error: notAskedFor }],
  ['zstd', packed(gzipSync('x'), 'zstd'), { status: 'error', error: notAskedFor }],
  ['endless', endless, { status: 'error', error: tooLarge }],
  ['circle', redirectTo('/circle'), { status: 'error', error: 'The third party sends us round and round.' }],
  ['nested-json', page(`{"items": ${'['.repeat(1_000_000)}`), { status: 'error', error: unreadable }],
  ['wrong-type', page(rss(item('1.0.0')), { 'content-type': 'image/png' }), { status: 'success', releasesFound: 1 }],
  ['no-feed', page('\x89PNG\r\n\x1a\n\0', { 'content-type': 'application/rss+xml' }), { status: 'error' }],
  [
    '20-megabytes-of-100,000-entries',
    page(rss(Array.from({ length: 100_000 }, (_, nth) => item(`${nth}${' '.repeat(160)}`)).join(''))),
    { status: 'success', releasesFound: 500 },
  ],
];

it('are logged for what they are, and no source beside them is harmed', async () => {
  const process = await fetchingProcess(true);
  const ids = new Map<string, string>();
  const add = async (path: string, content: SitePage) => {
    site.put(`/${path}`, content);
    ids.set(path, await world.addSource({ url: `${site.url}/${path}`, name: path }));
  };
  for (const [path, content] of hostile) await add(path, content);
  await add('slow-head', slowHead);
  await add('slow-body', slowBody);
  await add('good', page(rss(item('1.0.0'))));

  const rounds = process.roundsOf({ atOnceMax: ids.size });
  expect(await rounds.begin()).toBe(ids.size);
  const entryOf = async (path: string) => (await world.entriesOf(ids.get(path)!))[0];
  const quick = [...ids.keys()].filter((path) => !path.startsWith('slow'));
  await eventually('all that ends is logged', async () => {
    const entries = await Promise.all(quick.map(entryOf));
    return entries.every((entry) => entry !== undefined);
  });
  world.clock.advance(60_000);
  await rounds.settled();

  for (const [path, , logged] of hostile) expect(await entryOf(path), path).toMatchObject(logged);
  for (const path of ['slow-head', 'slow-body']) {
    expect(await entryOf(path), path).toMatchObject({ status: 'timeout', error: 'No whole answer came in time.' });
  }
  expect(await entryOf('good')).toMatchObject({ status: 'success', releasesInserted: 1 });
});

it.each([
  ['an address inside the network', () => site.url.replace('http:', 'https:'), []],
  ['a name that leads there', () => 'https://feeds.example.com/feed', ['93.184.216.34', '10.0.0.7']],
  ['no TLS', () => 'http://feeds.example.com/feed', ['93.184.216.34']],
])('are not gone to: %s', async (_, url, addresses) => {
  const process = await fetchingProcess(false, addresses);
  const before = site.asked.length;
  const id = await world.addSource({ url: url(), name: url() });
  const rounds = process.roundsOf();
  await rounds.begin();
  await rounds.settled();
  expect((await world.entriesOf(id))[0]).toMatchObject({ status: 'blocked', releasesFound: 0 });
  expect(site.asked).toHaveLength(before);
});
