import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../src/delivery/target-guard.ts';
import { createAppStoreFetcher } from '../../src/ingest/appstore/app-store-fetcher.ts';
import type { FetchFailed } from '../../src/ingest/fetch-failed.ts';
import type { SourceToFetch } from '../../src/ingest/source-fetcher.ts';
import { page, type SiteStandin, startSiteStandin } from '../standin/site/site-standin.ts';

const http = createHttpClient();
let store: SiteStandin;
beforeAll(async () => {
  store = await startSiteStandin();
});
afterAll(async () => {
  await http.close();
  await store.close();
});

const app = {
  trackName: 'Kit',
  trackViewUrl: 'https://apps.apple.com/us/app/kit/id123456789?uo=4',
  version: '4.2.0',
  releaseNotes: 'Better\r\nthings',
  currentVersionReleaseDate: '2026-03-01T10:00:00Z',
  artworkUrl512: 'https://images.example.com/512.png',
  artworkUrl100: 'https://images.example.com/100.png',
};

const lookup = (...results: readonly unknown[]) =>
  page(JSON.stringify({ resultCount: results.length, results }), { 'content-type': 'text/javascript; charset=utf-8' });

const fetchApp = (changed: Partial<SourceToFetch> = {}) => {
  const targets = createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate: true });
  const fetcher = createAppStoreFetcher({ http, targets, clock: systemClock, storeUrl: store.url });
  const url = 'https://apps.apple.com/us/app/kit/id123456789';
  const source: SourceToFetch = { id: 'src_1', type: 'appstore', url, metadata: {}, memory: {}, ...changed };
  return fetcher.fetch(source, systemClock.nowMs() + 60_000);
};

const failure = (changed: Partial<SourceToFetch> = {}) =>
  fetchApp(changed).then(
    () => 'no failure',
    ({ reason, status, retryAfterMs }: FetchFailed) => [reason, status, retryAfterMs],
  );

it('tells the version that the store has now', async () => {
  store.put('/lookup', lookup(app));
  const fetched = await fetchApp();
  expect(fetched).toMatchObject({ isNew: true, leftOut: [], iconUrl: 'https://images.example.com/512.png' });
  expect(fetched.items).toEqual([
    { title: '4.2.0', version: '4.2.0', content: 'Better\nthings', publishedAt: '2026-03-01T10:00:00.000Z' },
  ]);
});

it('tells nothing when nothing is new, and all of it when anything is', async () => {
  store.put('/lookup', lookup(app));
  const { memory } = await fetchApp();
  expect(await fetchApp({ memory })).toMatchObject({ isNew: false, items: [], memory });
  store.put('/lookup', lookup({ ...app, releaseNotes: 'Mended' }));
  expect(await fetchApp({ memory })).toMatchObject({ isNew: true, items: [{ content: 'Mended' }] });
});

describe('asks for', () => {
  const apps = 'https://apps.apple.com';
  it.each([
    [`${apps}/us/app/kit/id123456789`, {}, '/lookup?id=123456789&country=us'],
    [`${apps}/DE/app/id42?l=en`, {}, '/lookup?id=42&country=de'],
    [`${apps}/app/kit/id42/`, {}, '/lookup?id=42&country=us'],
    [`${apps}/us/app/kit/id42?mt=12`, {}, '/lookup?id=42&country=us&entity=macSoftware'],
    [`${apps}/us/app/kit/id42`, { platform: 'macos' }, '/lookup?id=42&country=us&entity=macSoftware'],
    [`${apps}/us/app/kit/id42?mt=12`, { platform: 'ios' }, '/lookup?id=42&country=us'],
    ['https://example.com/app', { id: 7, country: 'FR', iconUrl: 'https://x.org/i.png' }, '/lookup?id=7&country=fr'],
  ])('%s with %j', async (url, appStore, asked) => {
    store.put('/lookup', lookup(app));
    await fetchApp({ url, metadata: { appStore } });
    expect(store.asked.at(-1)).toBe(asked);
  });
});

describe('fails', () => {
  it('for an address without an app, and nobody is asked', async () => {
    const before = store.asked.length;
    expect(await failure({ url: 'https://apps.apple.com/us/developer/acme' })).toEqual(['unreadable', null, null]);
    expect(await failure({ metadata: { appStore: { id: 'one&x=y' } } })).toEqual(['unreadable', null, null]);
    expect(store.asked).toHaveLength(before);
  });

  it.each([
    ['an app that it does not know', lookup(), ['unreadable', 404, null]],
    ['an answer of another kind', page('[1]'), ['unreadable', 200, null]],
    ['no JSON', page('<html>'), ['unreadable', 200, null]],
    ['an app without a version', lookup({ trackName: 'Kit' }), ['unreadable', 200, null]],
    ['too many questions', page('', { 'retry-after': '120' }, 429), ['limited', 429, 120_000]],
    ['a closed door', page('', {}, 403), ['refused', 403, null]],
    ['an outage', page('', {}, 502), ['server_error', 502, null]],
    ['an answer without an end', page(' '.repeat(3_000_000)), ['too_large', 200, null]],
  ])('with %s', async (_, answer, expected) => {
    store.put('/lookup', answer);
    expect(await failure()).toEqual(expected);
  });
});

it('tells no icon that is no address', async () => {
  store.put('/lookup', lookup({ ...app, artworkUrl512: 'javascript:alert(1)' }));
  expect((await fetchApp()).iconUrl).toBeNull();
});
