import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../src/delivery/target-guard.ts';
import type { FetchFailed } from '../../src/ingest/fetch-failed.ts';
import { createGithubSourceFetcher } from '../../src/ingest/github/github-source-fetcher.ts';
import type { FetchMemory, SourceToFetch } from '../../src/ingest/source-fetcher.ts';
import { type GithubStandin, startGithubStandin } from '../standin/github/github-standin.ts';
import { refused } from '../standin/github/repositories.ts';

const token = 'token-for-tests';
const dayMs = 86_400_000;
const http = createHttpClient();
let github: GithubStandin;
/** Requests take real time, days are added. */
let addedMs = 0;
const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + addedMs };

beforeAll(async () => {
  github = await startGithubStandin({ token });
});
beforeEach(() => github.failWith(null));
afterAll(async () => {
  await http.close();
  await github.close();
});

const targets = createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate: true });
const newFetcher = (withToken: string | undefined = token) =>
  createGithubSourceFetcher({ http, targets, clock, apiUrl: github.url, rawUrl: github.rawUrl, token: withToken });

const sourceOf = (name: string, memory: FetchMemory = {}): SourceToFetch => ({
  id: 'src_1',
  type: 'github',
  url: `https://github.com/${name}`,
  metadata: {},
  memory,
});
const deadline = () => clock.nowMs() + 60_000;
const read = (name: string, memory: FetchMemory = {}, fetcher = newFetcher()) =>
  fetcher.fetch(sourceOf(name, memory), deadline());

/** The memory goes through a store between two fetches. */
const stored = (memory: FetchMemory): FetchMemory => JSON.parse(JSON.stringify(memory)) as FetchMemory;

const failureOf = (fetched: Promise<unknown>) =>
  fetched.then(
    () => 'no failure',
    ({ reason, status, retryAfterMs }: FetchFailed) => ({ reason, status, retryAfterMs }),
  );

const tags = (count: number) => Array.from({ length: count }, (_, index) => ({ tag: `v${count - index}.0.0` }));

/** What is asked for while something runs. */
async function askedDuring<T>(run: () => Promise<T>): Promise<[T, readonly string[]]> {
  const before = github.asked.length;
  const result = await run();
  return [result, github.asked.slice(before)];
}

describe('releases', () => {
  it('are read once, and again when there are new ones', async () => {
    github.put('Acme/Kit', { releases: tags(2), stars: 12 });
    const first = await read('acme/kit');
    expect(first).toMatchObject({ isNew: true, stars: 12, leftOut: [], changelogs: [], iconUrl: null });
    expect(first.items.map(({ version }) => version)).toEqual(['v2.0.0', 'v1.0.0']);

    const [same, asked] = await askedDuring(() => read('acme/kit', stored(first.memory)));
    expect(same).toMatchObject({ isNew: false, items: [], stars: null, memory: first.memory });
    expect(asked).toEqual(['/repos/Acme/Kit/releases?per_page=50']);

    github.put('Acme/Kit', { releases: tags(3), stars: 13 });
    const third = await read('acme/kit', stored(first.memory));
    expect(third.items.map(({ version }) => version)).toEqual(['v3.0.0', 'v2.0.0', 'v1.0.0']);
    expect(third).toMatchObject({ isNew: true, stars: null }); // they are read once a day, with the changelog file
  });

  it('are read page after page at first, later only as far as they are new', async () => {
    github.put('acme/many', { releases: tags(130) });
    const first = await read('acme/many');
    expect(first.items).toHaveLength(130);
    github.put('acme/many', { releases: tags(131) });
    const [next, asked] = await askedDuring(() => read('acme/many', stored(first.memory)));
    expect(next.items[0]?.version).toBe('v131.0.0');
    expect(next.items).toHaveLength(50);
    expect(asked).toEqual(['/repos/acme/many/releases?per_page=50', '/repos/acme/many']);
    // Sixty more: the one that was the newest is on the second page.
    github.put('acme/many', { releases: tags(191) });
    expect((await read('acme/many', stored(next.memory))).items).toHaveLength(100);
  });

  it('are at most five hundred', async () => {
    const older = (entry: string) => [{ entry, reason: 'They are older, and more than one fetch takes in.' }];
    github.put('acme/hundreds', { releases: tags(620) });
    const fetched = await read('acme/hundreds');
    expect(fetched.items).toHaveLength(500);
    expect(fetched.leftOut).toEqual(older('older releases')); // how many is on pages that nobody reads
    github.put('acme/exactly', { releases: tags(500) });
    expect(await read('acme/exactly')).toMatchObject({ leftOut: [] });
    const text = Array.from({ length: 620 }, (_, minor) => `# 1.${620 - minor}.0\n\n- It\n\n`).join('');
    github.put('acme/told', { files: { 'CHANGELOG.md': text } });
    const told = await read('acme/told');
    expect([told.items.length, told.leftOut]).toEqual([500, older('120 more')]);
  });

  it('of slow pages are those that were read in time, and the others are asked for again', async () => {
    github.put('acme/slow', { releases: tags(120), files: { 'CHANGELOG.md': '# 1.0.0' } });
    github.failWith((_, url) => (url.searchParams.get('page') === '2' ? null : undefined));
    const first = await newFetcher().fetch(sourceOf('acme/slow'), clock.nowMs() + 3_000);
    expect(first.items.map(({ version }) => version)).toEqual(
      tags(120)
        .slice(0, 50)
        .map(({ tag }) => tag),
    );
    expect(first.leftOut).toMatchObject([{ entry: 'older releases' }]);
    expect(first.changelogs).toHaveLength(1); // there was time left for it
    github.failWith(null);
    const second = await read('acme/slow', stored(first.memory));
    expect(second.items).toHaveLength(120);
    expect((await read('acme/slow', stored(second.memory))).isNew).toBe(false);
  });

  it('that no item can be made of are named, and the others come in', async () => {
    github.put('acme/odd', { releases: [{ tag: 'v1' }, { tag: ' ', name: ' ' }] });
    const fetched = await read('acme/odd');
    expect(fetched.items).toHaveLength(1);
    expect(fetched.leftOut).toHaveLength(1);
  });

  it('of a renamed repository are asked for by its new name from then on', async () => {
    github.put('acme/new-name', { releases: tags(1) });
    github.put('acme/old-name', { renamedTo: 'acme/new-name' });
    const { items, memory } = await read('acme/old-name');
    expect(items).toHaveLength(1);
    const [, asked] = await askedDuring(() => read('acme/old-name', stored(memory)));
    expect(asked).toEqual(['/repos/acme/new-name/releases?per_page=50']);
  });

  it('of another repository are not taken for known ones', async () => {
    github.put('acme/one', { releases: tags(1) });
    github.put('acme/two', { releases: tags(1) });
    const { memory } = await read('acme/one');
    expect(await read('acme/two', stored(memory))).toMatchObject({ isNew: true, items: [{ version: 'v1.0.0' }] });
  });

  it('are found by metadata.githubUrl too', async () => {
    github.put('acme/named', { releases: tags(1) });
    const source = { ...sourceOf('x/y'), url: 'https://example.com/', type: 'scrape' as const };
    const metadata = { githubUrl: 'https://github.com/acme/named.git' };
    expect((await newFetcher().fetch({ ...source, metadata }, deadline())).items).toHaveLength(1);
    expect(await failureOf(newFetcher().fetch(source, deadline()))).toMatchObject({ reason: 'unreadable' });
  });

  it('of a repository that everybody could read are not read with our credential later', async () => {
    github.put('acme/closing', { releases: tags(1) });
    const { memory } = await read('acme/closing');
    github.put('acme/closing', { releases: tags(2), private: true });
    const failed = await failureOf(read('acme/closing', stored(memory)));
    expect(failed).toMatchObject({ reason: 'unreadable', status: 404 });
  });
});

describe('the changelog file', () => {
  const log = '# 1.1.0 (2026-02-01)\n\n- Two\n\n# 1.0.0\n\n- One\n';

  it('is read once a day with the stars, from the host of raw files and without a credential', async () => {
    github.put('acme/logged', { releases: tags(1), files: { 'docs/CHANGELOG.md': 'No', 'HISTORY.md': log }, stars: 1 });
    const first = await read('acme/logged');
    expect(first.changelogs).toEqual([
      {
        path: 'HISTORY.md',
        content: log,
        truncated: false,
        url: 'https://github.com/acme/logged/blob/HEAD/HISTORY.md',
        rawUrl: `${github.rawUrl}/acme/logged/HEAD/HISTORY.md`,
      },
    ]);
    expect(first.items.map(({ version }) => version)).toEqual(['v1.0.0']); // its releases are what counts

    github.put('acme/logged', { releases: tags(1), files: { 'HISTORY.md': `# 2.0.0\n\n${log}` }, stars: 2 });
    expect(await read('acme/logged', stored(first.memory))).toMatchObject({
      isNew: false,
      changelogs: [],
      stars: null,
    });
    addedMs += dayMs;
    const next = await read('acme/logged', stored(first.memory));
    expect(next).toMatchObject({ isNew: true, items: [], stars: 2 });
    expect(next.changelogs[0]?.content).toMatch(/^# 2.0.0/);

    addedMs += dayMs;
    const same = await read('acme/logged', stored(next.memory));
    expect(same).toMatchObject({ isNew: false, items: [], changelogs: [], stars: 2 });
    const [, asked] = await askedDuring(() => read('acme/logged', stored(same.memory)));
    expect(asked).toHaveLength(1); // the day has begun anew
  });

  it('is read again as it is where it was outlined by another rule', async () => {
    github.put('acme/outlined', { releases: tags(1), files: { 'CHANGELOG.md': log } });
    const first = await read('acme/outlined');
    const { outlineRule: _, ...before } = stored(first.memory);
    addedMs += dayMs;
    const next = await read('acme/outlined', before);
    expect(next.changelogs).toEqual(first.changelogs);
    addedMs += dayMs;
    expect((await read('acme/outlined', stored(next.memory))).changelogs).toEqual([]);
  });

  it('is stored without what hides something from a reader', async () => {
    const hiding = '# 1.0.0\r\n\r\n- \u202eruns \x1b[31mback\u202c\0\r\n';
    github.put('acme/hiding', { files: { 'CHANGELOG.md': hiding } });
    const { changelogs } = await read('acme/hiding');
    expect(changelogs[0]?.content).toBe('# 1.0.0\n\n- runs [31mback\ufffd\n');
  });

  it('is not put off by releases that come in between', async () => {
    const files = { 'CHANGELOG.md': log };
    github.put('acme/busy', { releases: tags(1), files });
    const first = await read('acme/busy');
    addedMs += dayMs / 2;
    github.put('acme/busy', { releases: tags(2), files: { 'CHANGELOG.md': `# 2.0.0\n\n${log}` } });
    const second = await read('acme/busy', stored(first.memory));
    expect(second).toMatchObject({ isNew: true, changelogs: [] });
    addedMs += dayMs / 3; // twenty hours are enough: the next fetch may come in two days
    expect((await read('acme/busy', stored(second.memory))).changelogs).toHaveLength(1);
  });

  it('tells of the releases of a repository that has none', async () => {
    github.put('acme/unreleased', { files: { 'CHANGELOG.md': log } });
    const first = await read('acme/unreleased');
    expect(first.items.map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
    expect(await read('acme/unreleased', stored(first.memory))).toMatchObject({ isNew: false, items: [] });
    addedMs += dayMs;
    github.put('acme/unreleased', { files: { 'CHANGELOG.md': `# 1.2.0\n\n- Three\n\n${log}` } });
    const next = await read('acme/unreleased', stored(first.memory));
    expect(next.items.map(({ version }) => version)).toEqual(['1.2.0', '1.1.0', '1.0.0']);
  });

  it('is looked for in the nearest folder where the root has none', async () => {
    const files = {
      'README.md': '',
      'node_modules/a/CHANGELOG.md': 'no',
      '.github/CHANGELOG.md': 'no',
      'packages/very-long/CHANGELOG.md': 'no',
      'docs/news.md': 'no',
      'docs/Changelog.md': log,
    };
    github.put('acme/nested', { files });
    expect((await read('acme/nested')).changelogs).toMatchObject([{ path: 'docs/Changelog.md', content: log }]);
  });

  it('is none in a repository without a commit', async () => {
    github.put('acme/empty', {});
    expect(await read('acme/empty')).toMatchObject({ items: [], changelogs: [], stars: 0 });
  });

  it('is kept as far as there is room for it, in whole characters', async () => {
    github.put('acme/long', { files: { 'CHANGELOG.md': `# 1.0.0\n\n${'ä'.repeat(3 * 1024 * 1024)}` } });
    const [file] = (await read('acme/long')).changelogs;
    expect(Buffer.byteLength(file!.content)).toBeLessThanOrEqual(5 * 1024 * 1024);
    expect(file!.content.endsWith('ä')).toBe(true);
    expect(file!.truncated).toBe(true);
  });
});

describe('limits', () => {
  it('are obeyed until they are over, and nobody is asked meanwhile', async () => {
    github.put('acme/limits', { releases: tags(1) });
    const fetcher = newFetcher();
    const reset = String(Math.ceil(clock.nowMs() / 1_000) + 600);
    const limits = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    github.failWith(() => refused(403, 'API rate limit exceeded', limits));
    const failed = await failureOf(read('acme/limits', {}, fetcher));
    expect(failed).toMatchObject({ reason: 'limited', status: 403 });
    const { retryAfterMs } = failed as FetchFailed;
    expect(retryAfterMs).toBeGreaterThan(500_000);
    expect(retryAfterMs).toBeLessThanOrEqual(601_000);

    github.failWith(null);
    const [again, asked] = await askedDuring(() => failureOf(read('acme/other', {}, fetcher)));
    expect(again).toMatchObject({ reason: 'limited', status: null });
    expect(asked).toEqual([]);
    addedMs += 601_000;
    expect((await read('acme/limits', {}, fetcher)).items).toHaveLength(1);
  });

  it.each([
    ['Retry-After', refused(429, 'Too many', { 'retry-after': '120' }), 120_000],
    ['nothing', refused(403, 'You have exceeded a secondary rate limit.'), 60_000],
    [
      'a moment years away',
      refused(429, '', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9900000000' }),
      3_600_000,
    ],
  ])('that say %s', async (_, answer, expected) => {
    github.failWith(() => answer);
    expect(await failureOf(read('acme/kit'))).toMatchObject({ reason: 'limited', retryAfterMs: expected });
  });

  it('are known from the last answer that was allowed', async () => {
    github.put('acme/last', { releases: tags(1) });
    const fetcher = newFetcher();
    github.failWith(() => ({
      status: 200,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(clock.nowMs() / 1_000) + 60) },
      body: '[]',
    }));
    const [failed, asked] = await askedDuring(() => failureOf(read('acme/last', {}, fetcher)));
    expect(failed).toMatchObject({ reason: 'limited' });
    expect(asked).toHaveLength(1);
  });
});

it('fails for a repository that is not there, and remembers nothing', async () => {
  expect(await failureOf(read('acme/nowhere'))).toEqual({ reason: 'unreadable', status: 404, retryAfterMs: null });
});

it('needs no credential', async () => {
  github.put('acme/open', { releases: tags(1) });
  expect((await read('acme/open', {}, newFetcher(undefined))).items).toHaveLength(1);
});
