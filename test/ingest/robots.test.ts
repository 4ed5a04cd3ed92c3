import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../src/delivery/target-guard.ts';
import type { FetchFailed } from '../../src/ingest/fetch-failed.ts';
import { createRobotsCheck } from '../../src/ingest/robots/robots-check.ts';
import { readRobotsRules } from '../../src/ingest/robots/robots-rules.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { page, type SiteStandin, startSiteStandin } from '../standin/site/site-standin.ts';

const allowed = (text: string, path: string): boolean =>
  readRobotsRules(text, 'release-registry').isAllowed(`https://example.com${path}`);

describe('rules', () => {
  it.each([
    ['', '/any', true],
    ['User-agent: *\nDisallow: /', '/any', false],
    ['User-agent: *\nDisallow:', '/any', true],
    ['User-agent: *\nDisallow: /private # not this', '/private/x', false],
    ['User-agent: *\nDisallow: /private', '/public', true],
    ['User-agent: *\nDisallow: /private\nAllow: /private/ok', '/private/ok', true],
    ['User-agent: *\nAllow: /private/ok\nDisallow: /private/', '/private/ok', true],
    ['User-agent: *\nDisallow: /page\nAllow: /page', '/page', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf?x', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/a.pdf.pdf', false],
    ['User-agent: *\nDisallow: /a*b*c', '/axxbyyc/z', false],
    ['User-agent: *\nDisallow: /a*bc*c$', '/abc', true],
    ['User-agent: *\nDisallow: /news?id=', '/news?id=1', false],
    ['User-agent: *\nDisallow: /%7Ejoe', '/~joe', false],
    ['User-agent: *\nDisallow: /ö', '/%C3%B6', false],
    ['User-agent: *\nDisallow: /%zz', '/%zz', false],
    ['\ufeffUSER-AGENT : *\r\nDISALLOW : /', '/any', false],
    ['User-agent: other\nDisallow: /', '/any', true],
    ['User-agent: other\nUser-agent: Release-Registry/2.0\nDisallow: /', '/any', false],
    ['User-agent: *\nDisallow: /\n\nUser-agent: release-registry\nDisallow: /private', '/any', true],
    ['User-agent: release-registry\nDisallow: /a\n\nUser-agent: release-registry\nDisallow: /b', '/b', false],
    ['User-agent: release-registry\n\nUser-agent: *\nDisallow: /', '/any', false],
    ['Disallow: /', '/any', true],
    ['<html>User-agent: *\nDisallow: /</html>', '/any', true],
  ])('%j about %s', (text, path, expected) => {
    expect(allowed(text, path)).toBe(expected);
  });

  it('may ask for pauses', () => {
    const delay = (text: string) => readRobotsRules(text, 'release-registry').crawlDelayMs;
    expect(delay('User-agent: *\nCrawl-delay: 2.5')).toBe(2_500);
    expect(delay('User-agent: other\nCrawl-delay: 10')).toBe(0);
    expect(delay('User-agent: *\nCrawl-delay: -1\nCrawl-delay: soon')).toBe(0);
  });

  it('that are hostile take no longer than their length: this test would not end', () => {
    const stars = `User-agent: *\n${`Disallow: /${'*a'.repeat(100)}$\n`.repeat(2_000)}`;
    expect(allowed(stars, `/${'a'.repeat(2_000)}b`)).toBe(true);
    const groups = `${'User-agent: x\nUser-agent: *\n'.repeat(20_000)}${'Disallow: /a\n'.repeat(20_000)}`;
    expect(allowed(groups, '/b')).toBe(true);
    expect(allowed(`User-agent: *\nDisallow:${' '.repeat(500_000)}x`, '/b')).toBe(true);
    expect(allowed(`User-agent: *\nDisallow: /${'%'.repeat(500_000)}`, '/b')).toBe(true);
  });
});

describe('a site', () => {
  const http = createHttpClient();
  const clock = createFakeClock();
  const targets = createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate: true });
  let site: SiteStandin;
  beforeAll(async () => {
    site = await startSiteStandin();
  });
  afterAll(async () => {
    await http.close();
    await site.close();
  });

  const check = () => createRobotsCheck({ http, targets, clock });
  const deadline = () => clock.nowMs() + 60_000;
  const outcome = (asked: Promise<void>) =>
    asked.then(
      () => 'allowed',
      ({ reason, retryAfterMs }: FetchFailed) => [reason, retryAfterMs],
    );
  const rulesAsked = () => site.asked.filter((path) => path === '/robots.txt').length;

  it.each([
    [200, 'User-agent: *\nDisallow: /private', ['blocked', null]],
    [404, 'User-agent: *\nDisallow: /', 'allowed'],
    [410, '', 'allowed'],
    [401, '', ['blocked', null]],
    [403, '', ['blocked', null]],
    [429, '', ['limited', 90_000]],
    [500, '', ['server_error', 90_000]],
    [503, '', ['server_error', 90_000]],
  ])('that answers %i', async (status, text, expected) => {
    site.put('/robots.txt', page(text, { 'content-type': 'text/plain', 'retry-after': '90' }, status));
    expect(await outcome(check().waitForLeave(`${site.url}/private`, deadline()))).toEqual(expected);
  });

  it('that has no robots rules for now is asked for them again, and its pages are not', async () => {
    site.put('/robots.txt', page('', {}, 503));
    const robots = check();
    expect(await outcome(robots.waitForLeave(`${site.url}/a`, deadline()))).toEqual(['server_error', null]);
    site.put('/robots.txt', page('User-agent: *\nDisallow: /b'));
    expect(await outcome(robots.waitForLeave(`${site.url}/a`, deadline()))).toBe('allowed');
  });

  it('is asked once a day, by whoever comes first', async () => {
    site.put('/robots.txt', page('User-agent: *\nDisallow: /b'));
    const robots = check();
    const before = rulesAsked();
    const outcomes = ['/a', '/b', '/c'].map((path) => outcome(robots.waitForLeave(site.url + path, deadline())));
    expect(await Promise.all(outcomes)).toEqual(['allowed', ['blocked', null], 'allowed']);
    expect(rulesAsked() - before).toBe(1);
    clock.advance(24 * 3_600_000 - 1);
    await robots.waitForLeave(`${site.url}/a`, deadline());
    expect(rulesAsked() - before).toBe(1);
    clock.advance(1);
    await robots.waitForLeave(`${site.url}/a`, deadline());
    expect(rulesAsked() - before).toBe(2);
  });

  it('gets the pauses that it asks for, as far as there is time', async () => {
    site.put('/robots.txt', page('User-agent: *\nCrawl-delay: 1000'));
    const robots = check();
    const until = deadline();
    await robots.waitForLeave(`${site.url}/a`, until);
    let isLeft = false;
    const second = robots.waitForLeave(`${site.url}/b`, until).then(() => {
      isLeft = true;
    });
    // The third would have to wait until the deadline.
    expect(await outcome(robots.waitForLeave(`${site.url}/c`, until))).toEqual(['limited', 60_000]);
    expect(isLeft).toBe(false);
    clock.advance(29_999);
    await Promise.resolve();
    expect(isLeft).toBe(false);
    clock.advance(1);
    await second;
    expect(isLeft).toBe(true);
  });
});
