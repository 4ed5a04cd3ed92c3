import { describe, expect, it } from 'vitest';
import { normalizeReleaseUrl, releaseIdentity, releaseIdOf } from '../../../src/domain/release/identity.ts';

const sourceId = 'src_5dR8mK1vQz0YtH6nBx3Lp';
const sourceUrl = 'https://example.com/changelog';
const nothing = { url: null, version: null, title: '', publishedAt: null };

describe('releaseIdOf', () => {
  it.each([
    ['url', 'https://example.com/changelog#v1.2.0', 'rel_JLGnYCDD0PxWcERLnxpqG'],
    ['version', '1.2.0', 'rel_VjU5mSzEZFJlSjXAUMms4'],
    ['title', 'spring update\n2026-03-01', 'rel_giOdDrhIpVUYbcf2NYwJg'],
  ] as const)('gives the id of the contract for %s', (kind, value, id) => {
    expect(releaseIdOf(sourceId, { kind, value })).toBe(id);
  });

  it('gives the same ids from items as they arrive', () => {
    const idOf = (release: Partial<typeof nothing> | Record<string, string>) =>
      releaseIdOf(sourceId, releaseIdentity({ ...nothing, ...release }, sourceUrl));
    expect(idOf({ url: 'HTTPS://Example.com:443/changelog/?utm_source=x#v1.2.0', version: '9' })).toBe(
      'rel_JLGnYCDD0PxWcERLnxpqG',
    );
    expect(idOf({ url: 'https://example.com/changelog/', version: ' V1.2.0 ' })).toBe('rel_VjU5mSzEZFJlSjXAUMms4');
    expect(idOf({ title: '  Spring\t\n UPDATE ', publishedAt: '2026-03-01T23:59:59.999Z' })).toBe(
      'rel_giOdDrhIpVUYbcf2NYwJg',
    );
  });
});

describe('releaseIdentity', () => {
  it('takes the first that applies', () => {
    const full = { url: 'https://a.example/1', version: '1.0', title: 'One', publishedAt: null };
    expect(releaseIdentity(full, sourceUrl)).toEqual({ kind: 'url', value: 'https://a.example/1' });
    expect(releaseIdentity({ ...full, url: null }, sourceUrl)).toEqual({ kind: 'version', value: '1.0' });
    expect(releaseIdentity({ ...full, url: null, version: null }, sourceUrl)).toEqual({
      kind: 'title',
      value: 'one\n-',
    });
  });

  it("does not take the source's own address, however it is spelled", () => {
    for (const url of [sourceUrl, 'https://EXAMPLE.com/changelog/', 'https://example.com/changelog?utm_medium=rss']) {
      expect(releaseIdentity({ ...nothing, url, version: '1' }, `${sourceUrl}/`).kind).toBe('version');
    }
    expect(releaseIdentity({ ...nothing, url: `${sourceUrl}?page=2`, version: '1' }, sourceUrl).kind).toBe('url');
    expect(releaseIdentity({ ...nothing, url: `${sourceUrl}#a`, version: '1' }, sourceUrl).kind).toBe('url');
    expect(releaseIdentity({ ...nothing, url: sourceUrl }, null).kind).toBe('url');
  });

  it('passes over what is no address and a blank version', () => {
    expect(releaseIdentity({ ...nothing, url: 'not a url', version: '  ', title: 'T' }, sourceUrl)).toEqual({
      kind: 'title',
      value: 't\n-',
    });
  });

  it.each([
    ['v1.2.0', '1.2.0'],
    ['V1.2.0-RC.1', '1.2.0-rc.1'],
    ['pkg@v1.2.0', 'pkg@1.2.0'],
    ['@scope/pkg@V2', '@scope/pkg@2'],
    ['vv1', 'vv1'],
    ['version 1', 'version 1'],
    ['name-v1.2.0', 'name-v1.2.0'],
    ['v1@v2', '1@v2'],
    [' 1.0 ', '1.0'],
  ])('version %s is %s', (version, value) => {
    expect(releaseIdentity({ ...nothing, version }, sourceUrl)).toEqual({ kind: 'version', value });
  });
});

describe('normalizeReleaseUrl', () => {
  it.each([
    ['HTTP://Example.COM:80/A/b', 'http://example.com/A/b'],
    ['https://example.com:443', 'https://example.com'],
    ['https://example.com:8443/x', 'https://example.com:8443/x'],
    ['http://example.com:443/x', 'http://example.com:443/x'],
    ['https://example.com/', 'https://example.com'],
    ['https://example.com/a/', 'https://example.com/a'],
    ['https://example.com/a//', 'https://example.com/a'],
    ['https://example.com/a/?b=1', 'https://example.com/a?b=1'],
    ['https://example.com/a/#/b/', 'https://example.com/a#/b/'],
    ['https://example.com/a?', 'https://example.com/a'],
    ['https://example.com/a#', 'https://example.com/a'],
    ['https://example.com/?utm_source=a&b=2&UTM_Campaign=c&a=1', 'https://example.com?b=2&a=1'],
    ['https://example.com/a?utm_source=a', 'https://example.com/a'],
    ['https://example.com/a?x=utm_source&my_utm_id=1', 'https://example.com/a?x=utm_source&my_utm_id=1'],
    ['https://example.com/a?q=a+b%20c&&e', 'https://example.com/a?q=a+b%20c&&e'],
    ['https://me:pw@example.com/a', 'https://me:pw@example.com/a'],
    ['https://me@example.com/a', 'https://me@example.com/a'],
  ])('%s becomes %s', (text, normal) => {
    expect(normalizeReleaseUrl(text)).toBe(normal);
    expect(normalizeReleaseUrl(normal)).toBe(normal);
  });

  it.each(['', '/relative', 'example.com/a', 'mailto:a@example.com', 'https://'])('%j is no web address', (text) => {
    expect(normalizeReleaseUrl(text)).toBeNull();
  });
});
