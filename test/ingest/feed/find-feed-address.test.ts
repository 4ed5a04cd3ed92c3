import { describe, expect, it } from 'vitest';
import { findFeedAddress } from '../../../src/ingest/feed/find-feed-address.ts';

const page = 'https://a.example/docs/changelog';
const link = (href: string, title = '', type = 'application/rss+xml') =>
  `<link rel="alternate" type="${type}" title="${title}" href="${href}">`;

describe('findFeedAddress', () => {
  it.each([
    ['the only one', link('../feed.xml'), 'https://a.example/feed.xml'],
    [
      'in any spelling',
      '<LINK REL="feed ALTERNATE" TYPE="Application/Atom+XML; charset=utf-8" HREF=/atom>',
      'https://a.example/atom',
    ],
    ['a JSON feed', link('/feed.json', '', 'application/feed+json'), 'https://a.example/feed.json'],
    ['not the comments', link('/comments/feed', 'Comments') + link('/feed'), 'https://a.example/feed'],
    ['the one about releases', link('/blog.xml', 'Blog') + link('/r.xml', 'Changelog'), 'https://a.example/r.xml'],
    ['below the base of the page', `<base href="https://b.example/x/">${link('feed')}`, 'https://b.example/x/feed'],
    ['comments where there is nothing else', link('/comments'), 'https://a.example/comments'],
    ['none', '<link rel="stylesheet" href="a.css"><a href="/feed">Feed</a>', null],
    ['none of the web', link('javascript:x') + link('file:///etc/passwd'), null],
    ['none that is a page', link('/de', '', 'text/html'), null],
    ['none in a comment', `<!-- ${link('/feed')} -->`, null],
  ])('is %s', (_, html, address) => {
    expect(findFeedAddress(`<html><head>${html}</head></html>`, page)).toBe(address);
  });
});
