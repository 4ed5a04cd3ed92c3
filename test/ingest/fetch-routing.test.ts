import { describe, expect, it } from 'vitest';
import { FetchFailed } from '../../src/ingest/fetch-failed.ts';
import { fetchFailureOf } from '../../src/ingest/fetch-failure.ts';
import { fetchWayOf } from '../../src/ingest/fetch-routing.ts';

describe('the way in which a source is fetched', () => {
  const githubUrl = 'https://github.com/acme/rocket';
  const feedUrl = 'https://acme.example/feed';
  it.each([
    ['github', {}, 'github'],
    ['scrape', { githubUrl, feedUrl }, 'github'],
    ['appstore', { feedUrl }, 'appstore'],
    ['appstore', { githubUrl }, 'github'],
    ['feed', {}, 'feed'],
    ['video', { feedUrl }, 'feed'],
    ['video', {}, 'video'],
    ['scrape', { feedUrl }, 'feed'],
    ['scrape', { feedUrl: '' }, 'scrape'],
    ['agent', { githubUrl, feedUrl }, null],
  ] as const)('of type %s with %o is %s', (type, metadata, way) => {
    expect(fetchWayOf({ type, metadata })).toBe(way);
  });
});

describe('a failure', () => {
  it.each([
    ['unreadable', 404, 'error', true],
    ['refused', 403, 'blocked', true],
    ['limited', 429, 'error', false],
    ['server_error', 500, 'error', false],
    ['network', null, 'error', false],
  ] as const)('%s with %s is %s', (reason, status, expected, isClientError) => {
    const cause = new Error('https://user:secret@acme.example');
    const failure = fetchFailureOf(new FetchFailed(reason, status, { cause, retryAfterMs: 5 }));
    expect(failure).toMatchObject({ status: expected, isClientError, retryAfterMs: 5 });
    expect(failure.error).not.toContain('secret');
    expect(failure.error.length).toBeLessThanOrEqual(500);
  });
});
