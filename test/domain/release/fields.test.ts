import { describe, expect, it } from 'vitest';
import { releaseChanges, releaseItem, webBaseUrl } from '../../../src/domain/release/fields.ts';

const image = { type: 'image', url: 'https://acme.example/a.png' };

const issuePaths = (value: unknown, schema: typeof releaseItem | typeof releaseChanges = releaseItem): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'));

describe('releaseItem', () => {
  it('needs a title only', () => {
    expect(releaseItem.parse({ title: 'One' })).toEqual({ title: 'One' });
    expect(issuePaths({})).toEqual(['title']);
  });

  it.each<[string, unknown, unknown]>([
    ['title', 'x'.repeat(500), 'x'.repeat(501)],
    ['title', 'x', ''],
    ['content', 'x'.repeat(1_000_000), 'x'.repeat(1_000_001)],
    ['content', '', null],
    ['version', '1'.repeat(200), '1'.repeat(201)],
    ['url', `https://a.example/${'x'.repeat(2030)}`, `https://a.example/${'x'.repeat(2031)}`],
    ['url', 'HTTP://a.example', 'ftp://a.example'],
    ['url', null, 'https://'],
    ['url', 'https://a.example/#top', 'https://a.example/a b'],
    ['publishedAt', '2026-03-01', '2026-02-30'],
    ['publishedAt', '2026-03-01T10:00:00+0130', '2026-03-01T10:00:00'],
    ['publishedAt', null, '7d'],
    ['type', 'rollup', 'Rollup'],
    ['prerelease', false, 'false'],
    ['summary', 'x'.repeat(2000), 'x'.repeat(2001)],
    ['titleGenerated', 'x'.repeat(300), 'x'.repeat(301)],
    ['titleShort', 'x'.repeat(300), 'x'.repeat(301)],
    ['breaking', 'minor', 'patch'],
    ['importance', 1, 0],
    ['importance', 5, 6],
    ['importance', null, 2.5],
    ['migrationNotes', 'x'.repeat(20_000), 'x'.repeat(20_001)],
    ['composition', { bugs: 0, features: 1, enhancements: 2 }, 3],
    ['media', Array.from({ length: 50 }, () => image), Array.from({ length: 51 }, () => image)],
  ])('bounds %s', (field, allowed, refused) => {
    expect(issuePaths({ title: 'One', [field]: allowed })).toEqual([]);
    expect(issuePaths({ title: 'One', [field]: refused })).toEqual([field]);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(issuePaths({ title: '😀'.repeat(500) })).toEqual([]);
    expect(issuePaths({ title: '😀'.repeat(501) })).toEqual(['title']);
  });

  it('refuses unknown keys, at every level', () => {
    expect(releaseItem.safeParse({ title: 'One', colour: 'red' }).error?.issues[0]?.code).toBe('unrecognized_keys');
    expect(issuePaths({ title: 'One', composition: { bugs: 1, features: 0, enhancements: 0, docs: 1 } })).toEqual([
      'composition',
    ]);
    expect(issuePaths({ title: 'One', media: [image, { ...image, size: 3 }] })).toEqual(['media.1']);
  });

  it('refuses U+0000 and lone surrogates', () => {
    expect(issuePaths({ title: 'a\0b' })).toEqual(['title']);
    expect(issuePaths({ title: 'One', content: '\ud800' })).toEqual(['content']);
  });

  it('names the part of a composition or of media that is wrong', () => {
    expect(issuePaths({ title: 'One', composition: { bugs: -1, features: 0 } })).toEqual([
      'composition.bugs',
      'composition.enhancements',
    ]);
    expect(issuePaths({ title: 'One', media: [{ type: 'audio', url: 'x' }] })).toEqual(['media.0.type', 'media.0.url']);
  });

  it('keeps the optional texts of media', () => {
    const full = { ...image, alt: 'A', r2Key: 'k', r2Url: 'https://r.example/k', linkUrl: 'https://acme.example' };
    expect(releaseItem.parse({ title: 'One', media: [full] }).media).toEqual([full]);
  });

  it('refuses media that would not fit into one append', () => {
    const address = 'https://example.com/'.padEnd(2048, 'y');
    const long = { ...image, alt: 'x'.repeat(2000), r2Url: address, linkUrl: address };
    expect(issuePaths({ title: 'One', media: Array.from({ length: 30 }, () => long) })).toEqual([]);
    expect(issuePaths({ title: 'One', media: Array.from({ length: 40 }, () => long) })).toEqual(['media']);
  });

  it('refuses a blank title, and links that are no web address', () => {
    expect(issuePaths({ title: ' \t\n' })).toEqual(['title']);
    const linked = { ...image, linkUrl: 'javascript:alert(1)' };
    expect(issuePaths({ title: 'One', media: [linked] })).toEqual(['media.0.linkUrl']);
  });

  it('makes one canonical form of what has several', () => {
    const item = releaseItem.parse({
      title: 'One',
      version: ' v1.2.0 ',
      publishedAt: '2026-03-01T10:00:00+02',
      media: [],
    });
    expect(item).toEqual({ title: 'One', version: 'v1.2.0', publishedAt: '2026-03-01T08:00:00.000Z', media: null });
    expect(releaseItem.parse(item)).toEqual(item);
  });

  it.each(['unknown', 'N/A', 'none', 'Latest', ''])('takes %j for no version', (version) => {
    expect(releaseItem.parse({ title: 'One', version }).version).toBeNull();
  });
});

describe('releaseChanges', () => {
  it('takes any field alone and null for those that can be taken back', () => {
    expect(releaseChanges.parse({ content: '' })).toEqual({ content: '' });
    expect(releaseChanges.parse({ version: null, media: null })).toEqual({ version: null, media: null });
  });

  it('takes neither title nor content back, and no empty change', () => {
    expect(issuePaths({ title: null, content: null }, releaseChanges)).toEqual(['title', 'content']);
    expect(issuePaths({}, releaseChanges)).toEqual(['']);
    expect(releaseChanges.safeParse({ id: 'rel_1' }).success).toBe(false);
  });
});

describe('webBaseUrl', () => {
  it('has no slash at its end', () => {
    expect(webBaseUrl.parse('https://registry.example/')).toBe('https://registry.example');
    expect(webBaseUrl.safeParse('registry.example').success).toBe(false);
  });
});
