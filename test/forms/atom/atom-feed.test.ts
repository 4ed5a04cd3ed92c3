import { parseXml } from '@rgrove/parse-xml';
import { describe, expect, it } from 'vitest';
import { type FullFeedItem, revisedAt } from '../../../queries/shape/release/feed-item.ts';
import { writeAtomFeed } from '../../../src/forms/atom/atom-feed.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { createBusyClock } from '../../spec/busy-clock.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { parseAtom } from '../../spec/forms/parse-atom.ts';

const webBaseUrl = 'https://registry.example:8443';
const entity = { id: 'org_1', name: 'Acme & <Sons>', createdAt: '2026-01-01T00:00:00.000Z' };
const pageUrl = `${webBaseUrl}/acme`;

type Release = FullFeedItem;

const release = (fields: Partial<Release>): Release =>
  ({
    id: 'rel_1',
    title: 'Spring update',
    titleShort: null,
    titleGenerated: null,
    version: '1.2.0',
    summary: 'Faster.',
    content: 'It is **faster**.',
    publishedAt: '2026-02-01T00:00:00.000Z',
    fetchedAt: '2026-02-02T00:00:00.000Z',
    [revisedAt]: '2026-02-03T00:00:00.000Z',
    webUrl: `${webBaseUrl}/release/rel_1-spring-update`,
    org: { id: 'org_1', slug: 'acme', name: 'Acme', avatarUrl: null, githubHandle: null },
    source: { name: 'Blog' },
    ...fields,
  }) as Release;

/** Two at a time. */
async function* pagesOf(releases: readonly Release[]) {
  for (let at = 0; at < releases.length; at += 2) yield releases.slice(at, at + 2);
}

const write = (releases: readonly Release[], clock: Clock = createFakeClock()) =>
  writeAtomFeed({ entity, pages: pagesOf(releases), pageUrl, webBaseUrl }, clock);
const feedOf = async (...releases: Release[]) => parseAtom((await write(releases)).text);
const entryOf = async (fields: Partial<Release>) => {
  const [entry] = (await feedOf(release(fields))).entries;
  if (entry === undefined) throw new Error('the feed has no entry');
  return entry;
};

describe('a feed', () => {
  it('says what it is of, where it is and when it changed', async () => {
    const newer = release({ id: 'rel_2', [revisedAt]: '2026-02-04T00:00:00.000Z' });
    const { text, updatedMs } = await write([newer, release({})]);
    const { entries, ...feed } = parseAtom(text);
    expect(feed).toEqual({
      id: 'tag:registry.example,2026:org_1',
      title: 'Acme & <Sons> releases',
      updated: '2026-02-04T00:00:00.000Z',
      self: `${pageUrl}.atom`,
      alternate: pageUrl,
    });
    expect(entries.map(({ id }) => id)).toEqual(['tag:registry.example,2026:rel_2', 'tag:registry.example,2026:rel_1']);
    expect(updatedMs).toBe(Date.parse('2026-02-04T00:00:00.000Z'));
    expect(text.startsWith('<?xml version="1.0" encoding="utf-8"?>\n')).toBe(true);
  });

  it('is as old as what it is of while there is nothing in it', async () => {
    expect(await feedOf()).toMatchObject({ updated: entity.createdAt, entries: [] });
  });

  it('tells all of a release', async () => {
    expect(await entryOf({})).toEqual({
      id: 'tag:registry.example,2026:rel_1',
      title: 'Spring update (1.2.0)',
      alternate: `${webBaseUrl}/release/rel_1-spring-update`,
      published: '2026-02-01T00:00:00.000Z',
      updated: '2026-02-03T00:00:00.000Z',
      author: 'Acme',
      category: 'Blog',
      summary: 'Faster.',
      content: '<p>It is <strong>faster</strong>.</p>',
    });
  });

  it('dates an undated release by when it was found, and one that lies ahead of its revision by itself', async () => {
    expect(await entryOf({ publishedAt: null })).toMatchObject({ published: '2026-02-02T00:00:00.000Z' });
    const ahead = '2026-02-05T00:00:00.000Z';
    expect(await entryOf({ publishedAt: ahead })).toMatchObject({ published: ahead, updated: ahead });
  });

  it.each([
    [{ titleShort: 'Short', titleGenerated: 'Generated' }, 'Short (1.2.0)'],
    [{ titleGenerated: 'Generated' }, 'Generated (1.2.0)'],
    [{ titleShort: '', titleGenerated: 'Generated' }, 'Generated (1.2.0)'],
    [{ titleShort: ' ', titleGenerated: '' }, 'Spring update (1.2.0)'],
    [{ title: 'Release v1.2.0' }, 'Release v1.2.0'],
    [{ version: null }, 'Spring update'],
  ])('calls a release as chats do: %j', async (fields, title) => {
    expect((await entryOf(fields)).title).toBe(title);
  });

  it('names the source as the author where there is no org', async () => {
    expect((await entryOf({ org: null })).author).toBe('Blog');
  });

  it.each(['true', 'false', '0', '', '<a b="c">&amp;\'x\''])(
    'names a source and its org as they are: %j',
    async (name) => {
      const source = { name } as Release['source'];
      expect((await entryOf({ source })).category).toBe(name);
      const org = { id: 'org_1', slug: 'acme', name: name || 'Acme', avatarUrl: null, githubHandle: null };
      expect((await entryOf({ org })).author).toBe(name || 'Acme');
    },
  );

  it('holds no character that XML has no way to write', async () => {
    const text = 'a\u0000b\u0008c\u000bd\u001fe\ud800f\udc00g\ufffeh\uffffi\u{1F600}j\tk]]>l';
    const { title, category, author, content } = await entryOf({
      title: text,
      version: null,
      content: '',
      summary: text,
      org: null,
      source: { name: text } as Release['source'],
    });
    const shown = 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffdh\ufffdi\u{1F600}j\tk]]>l';
    expect(title).toBe(shown);
    expect(author).toBe(shown);
    expect(category).toBe(shown.replace('\t', ' ')); // as parsers read attributes
    expect(content).toContain('\u{1F600}');
  });

  it('lets others have a turn while it renders', async () => {
    const busy = createBusyClock();
    const releases = Array.from({ length: 50 }, (_, index) => release({ id: `rel_${index}` }));
    const { text } = await write(releases, busy);
    expect(parseAtom(text).entries).toHaveLength(50);
    expect(busy.turns()).toBeGreaterThan(20);
  });
});

it('the parser of these tests is strict', () => {
  expect(() => parseXml('<a>\u0001</a>')).toThrow();
  expect(() => parseXml('<a>&</a>')).toThrow();
  expect(() => parseAtom('<feed xmlns="http://www.w3.org/2005/Atom"/>')).toThrow('RFC 4287');
});
