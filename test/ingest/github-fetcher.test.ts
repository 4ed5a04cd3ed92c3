import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../src/delivery/target-guard.ts';
import { createGithubFetcher, type GithubFetcherDeps } from '../../src/ingest/github/github-fetcher.ts';
import type { FetchFailed } from '../../src/ingest/fetch-failed.ts';
import { type GithubStandin, startGithubStandin } from '../standin/github/github-standin.ts';
import { json, refused } from '../standin/github/repositories.ts';

const token = 'token-for-tests';
const http = createHttpClient();
let github: GithubStandin;
let other: GithubStandin;

beforeAll(async () => {
  [github, other] = [await startGithubStandin({ token }), await startGithubStandin()];
});
beforeEach(() => github.failWith(null));
afterAll(async () => {
  await http.close();
  await Promise.all([github.close(), other.close()]);
});

const targetsOf = (allowPrivate: boolean) =>
  createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate });

const fetcherWith = (changed: Partial<GithubFetcherDeps> = {}) => {
  // A busy machine is no failure of the third party.
  const usual = { http, targets: targetsOf(true), clock: systemClock, apiUrl: github.url, token, withinMs: 60_000 };
  return createGithubFetcher({ ...usual, ...changed });
};

const failure = (coordinate: string, changed: Partial<GithubFetcherDeps> = {}) =>
  fetcherWith(changed)
    .fetch(coordinate)
    .then(
      () => 'no failure',
      ({ reason, status }: FetchFailed) => [reason, status],
    );

const tags = (count: number) => Array.from({ length: count }, (_, index) => ({ tag: `v${count - index}.0.0` }));

describe('releases', () => {
  it('are told as GitHub has them', async () => {
    github.put('Acme/Kit', {
      releases: [
        {
          tag: 'v2.0.0-rc.1',
          name: 'Two',
          body: 'New\r\nthings',
          prerelease: true,
          publishedAt: '2026-03-01T10:00:00Z',
        },
        { tag: 'v1.0.0', name: '  ', body: null, publishedAt: null },
      ],
    });
    expect(await fetcherWith().fetch('acme/kit')).toEqual({
      coordinate: 'Acme/Kit',
      leftOut: 0,
      items: [
        {
          title: 'Two',
          version: 'v2.0.0-rc.1',
          content: 'New\nthings',
          url: 'https://github.com/Acme/Kit/releases/tag/v2.0.0-rc.1',
          publishedAt: '2026-03-01T10:00:00.000Z',
          prerelease: true,
        },
        {
          title: 'v1.0.0',
          version: 'v1.0.0',
          content: '',
          url: 'https://github.com/Acme/Kit/releases/tag/v1.0.0',
          prerelease: false,
        },
      ],
    });
  });

  it('are read page after page, up to a hundred, without drafts', async () => {
    github.put('acme/many', { releases: [{ tag: 'draft', draft: true }, ...tags(130)] });
    const before = github.asked.length;
    const fetched = await fetcherWith().fetch('acme/many');
    expect(fetched?.items).toHaveLength(100);
    expect(fetched?.items[0]?.version).toBe('v130.0.0');
    expect(fetched?.items.at(-1)?.version).toBe('v31.0.0');
    expect(github.asked.slice(before)).toEqual([
      '/repos/acme/many',
      '/repos/acme/many/releases?per_page=50',
      '/repos/acme/many/releases?per_page=50&page=2',
      '/repos/acme/many/releases?per_page=50&page=3',
    ]);
  });

  it('are asked for in smaller pages where a page is too large', async () => {
    const large = 'x'.repeat(300_000);
    github.put('acme/large', { releases: tags(40).map((release) => ({ ...release, body: large })) });
    const fetched = await fetcherWith().fetch('acme/large');
    expect(fetched?.items.map(({ version }) => version)).toEqual(
      tags(13).map((_, index) => `v${40 - index}.0.0`), // as many as one batch may hold
    );
  });

  it('that no item can be made of are left out, and the others are cleaned', async () => {
    github.put('acme/odd', {
      releases: [
        { tag: 'v3', name: 'a\0b\tc', body: 'lone \ud800 and \0', publishedAt: 'yesterday' },
        { tag: ' ', name: ' ' },
      ],
    });
    const fetched = await fetcherWith().fetch('acme/odd');
    expect(fetched?.leftOut).toBe(1);
    expect(fetched?.items).toMatchObject([{ title: 'a\ufffdb c', content: 'lone \ufffd and \ufffd' }]);
    expect(fetched?.items[0]).not.toHaveProperty('publishedAt');
  });

  it('of a repository that was renamed come with its new name', async () => {
    github.put('acme/new-name', { releases: tags(1) });
    github.put('acme/old-name', { renamedTo: 'acme/new-name' });
    expect(await fetcherWith().fetch('acme/old-name')).toMatchObject({
      coordinate: 'acme/new-name',
      items: [{ version: 'v1.0.0' }],
    });
  });
});

describe('without releases', () => {
  it('the entries of the changelog count, of the file that is preferred', async () => {
    github.put('acme/logged', {
      files: { 'NEWS.md': '# 9.9.9\n\nNo', 'ChangeLog.md': '# 1.1.0 (2026-02-01)\n\n- Two\n\n# 1.0.0\n\n- One\n' },
    });
    expect(await fetcherWith().fetch('acme/logged')).toEqual({
      coordinate: 'acme/logged',
      leftOut: 0,
      items: [
        { title: '1.1.0', version: '1.1.0', publishedAt: '2026-02-01T00:00:00.000Z', content: '- Two' },
        { title: '1.0.0', version: '1.0.0', content: '- One' },
      ],
    });
  });

  it.each([
    ['no commit', {}],
    ['no changelog', { files: { 'README.md': '# 1.0.0' } }],
    ['nothing but a draft', { releases: [{ tag: 'v1', draft: true }] }],
    ['a changelog without a version', { files: { 'CHANGELOG.md': 'Soon.' } }],
  ])('a repository with %s has nothing to tell', async (name, repository) => {
    const coordinate = `acme/${name.replaceAll(' ', '-')}`;
    github.put(coordinate, repository);
    expect(await fetcherWith().fetch(coordinate)).toEqual({ coordinate, items: [], leftOut: 0 });
  });
});

describe('there is no repository', () => {
  it('where GitHub knows none, or none that everybody may read', async () => {
    github.put('acme/secret', { private: true, releases: tags(1) });
    expect(await fetcherWith().fetch('acme/nothing')).toBeNull();
    expect(await fetcherWith().fetch('acme/secret')).toBeNull();
  });

  it('of a name that would lead elsewhere, and nobody is asked', async () => {
    const before = github.asked.length;
    for (const coordinate of ['../..', 'acme/..', 'acme/.', '-/kit', '._-/kit']) {
      expect(await fetcherWith().fetch(coordinate), coordinate).toBeNull();
    }
    expect(github.asked).toHaveLength(before);
  });
});

describe('a failure is named', () => {
  const limited = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1900000000' };
  it.each([
    ['limited', 403, refused(403, 'API rate limit exceeded', limited)],
    ['limited', 403, refused(403, 'Slow down', { 'retry-after': '60' })],
    ['limited', 403, refused(403, 'You have exceeded a secondary rate limit.')],
    ['limited', 429, refused(429, 'Too many', { 'retry-after': '60' })],
    ['refused', 403, refused(403, 'Repository access blocked')],
    ['refused', 451, refused(451, 'Unavailable for legal reasons')],
    ['server_error', 502, { status: 502, body: '<html>' }],
    ['unreadable', 200, { status: 200, body: '<html>' }],
    ['unreadable', 200, json({ full_name: '../..' })],
    ['unreadable', 418, { status: 418, body: '' }],
    ['unreadable', 301, { status: 301, body: '' }],
  ])('%s: %i', async (reason, status, answer) => {
    github.failWith(() => answer);
    expect(await failure('acme/kit')).toEqual([reason, status]);
  });

  it('also on a later page: nothing is told by halves', async () => {
    github.put('acme/pages', { releases: tags(80) });
    github.failWith((_, url) => (url.searchParams.has('page') ? refused(429, 'Too many') : undefined));
    expect(await failure('acme/pages')).toEqual(['limited', 429]);
  });

  it('when no answer comes in time, or no turn', async () => {
    github.failWith(() => null);
    expect(await failure('acme/kit', { withinMs: 50 })).toEqual(['timeout', null]);
    const fetcher = fetcherWith({ withinMs: 50 });
    const reasons = await Promise.all(
      Array.from({ length: 20 }, () => fetcher.fetch('acme/kit').catch(({ reason }: FetchFailed) => reason)),
    );
    expect(new Set(reasons)).toEqual(new Set(['timeout']));
  });

  it('when nobody listens', async () => {
    const gone = await startGithubStandin();
    await gone.close();
    expect(await failure('acme/kit', { apiUrl: gone.url })).toEqual(['network', null]);
  });

  it('when a credential is not accepted', async () => {
    expect(await failure('acme/kit', { token: 'another-token' })).toEqual(['refused', 401]);
  });

  it('when the answer is larger than anybody needs', async () => {
    github.failWith(() => ({ status: 200, body: ' '.repeat(3 * 1024 * 1024) }));
    expect(await failure('acme/kit')).toEqual(['too_large', 200]);
  });

  it('when the answer is packed and would become larger than anybody needs', async () => {
    const bomb = gzipSync(Buffer.alloc(3 * 1024 * 1024));
    github.failWith(() => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: bomb }));
    expect(await failure('acme/kit')).toEqual(['too_large', 200]);
  });

  it('when the next page has no address', async () => {
    github.put('acme/no-address', { releases: tags(1) });
    github.failWith((_, url) =>
      url.pathname.endsWith('/releases') ? json([], { link: '<no address>; rel="next"' }) : undefined,
    );
    expect(await failure('acme/no-address')).toEqual(['unreadable', null]);
  });

  it('when it is sent round and round', async () => {
    github.failWith((_, url) => refused(302, 'Found', { location: url.href }));
    expect(await failure('acme/kit')).toEqual(['unreadable', null]);
  });
});

describe('no other host hears of it', () => {
  const elsewhere = () => ({ location: `${other.url}/repos/acme/kit` });

  it('by a redirect', async () => {
    github.failWith(() => refused(302, 'Found', elsewhere()));
    expect(await failure('acme/kit')).toEqual(['blocked', 302]);
    expect(other.asked).toEqual([]);
  });

  it('by the address of a next page', async () => {
    github.put('acme/led-away', { releases: tags(1) });
    github.failWith((_, url) =>
      url.pathname.endsWith('/releases') ? json([], { link: `<${other.url}/x>; rel="next"` }) : undefined,
    );
    expect(await failure('acme/led-away')).toEqual(['blocked', null]);
    expect(other.asked).toEqual([]);
  });

  it('nor does an address inside the network, where that is not allowed', async () => {
    const before = github.asked.length;
    expect(await failure('acme/kit', { targets: targetsOf(false) })).toEqual(['blocked', null]);
    expect(github.asked).toHaveLength(before);
  });
});

it('says who asks, and sends the credential that it was given', async () => {
  github.put('acme/headers', { releases: tags(1) });
  const before = github.asked.length;
  await fetcherWith().fetch('acme/headers');
  expect(github.headersOf(before)).toMatchObject({
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': expect.stringMatching(/^release-registry\//),
  });
});
