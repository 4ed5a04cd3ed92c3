import type { FullFeedItem } from '../../../queries/shape/release/feed-item.ts';
import { headlineOf } from '../../domain/release/headline.ts';
import { createShortTurns } from '../../concurrency/short-turns.ts';
import type { Clock } from '../../ports/clock.ts';
import { contentHtml } from './content-html.ts';
import { writeXml } from './xml.ts';

/** The newest of the default feed (contract 16.2). */
export const atomEntriesMax = 50;

/** Whose releases a feed lists. */
export interface FeedEntity {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

export interface AtomInput {
  readonly entity: FeedEntity;
  /** The newest first. */
  readonly releases: readonly (FullFeedItem & { readonly revisedAt: string })[];
  /** The page that the feed is of. */
  readonly pageUrl: string;
  readonly webBaseUrl: string;
}

export interface AtomFeed {
  readonly text: string;
  readonly updatedMs: number;
}

/** Timestamps of one form sort as texts. */
const later = (a: string, b: string): string => (a > b ? a : b);

/** The same for ever, wherever the thing moves (RFC 4151); a tag names a host, not a port. */
const tagOf = (id: string, webBaseUrl: string): string => `tag:${new URL(webBaseUrl).hostname},2026:${id}`;

type Entry = AtomInput['releases'][number];

const publishedOf = ({ publishedAt, fetchedAt }: Entry): string => publishedAt ?? fetchedAt;
const updatedOf = (release: Entry): string => later(publishedOf(release), release.revisedAt);

const entryXml = (release: Entry, webBaseUrl: string): string =>
  writeXml({
    entry: {
      id: tagOf(release.id, webBaseUrl),
      title: { '@type': 'text', '#': headlineOf(release) },
      link: { '@rel': 'alternate', '@type': 'text/html', '@href': release.webUrl },
      published: publishedOf(release),
      updated: updatedOf(release),
      author: { name: release.org?.name ?? release.source.name },
      category: { '@term': release.source.name },
      summary: { '@type': 'text', '#': release.summary },
      content: { '@type': 'html', '#': contentHtml(release) },
    },
  });

const declaration = '<?xml version="1.0" encoding="utf-8"?>';
const end = '</feed>';

/** The feed without its entries, up to where they go. */
const headXml = ({ entity, pageUrl, webBaseUrl }: AtomInput, updated: string): string =>
  writeXml({
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      id: tagOf(entity.id, webBaseUrl),
      title: { '@type': 'text', '#': `${entity.name} releases` },
      link: [
        { '@rel': 'self', '@type': 'application/atom+xml', '@href': `${pageUrl}.atom` },
        { '@rel': 'alternate', '@type': 'text/html', '@href': pageUrl },
      ],
      updated,
    },
  }).slice(0, -end.length);

/** An Atom 1.0 feed (RFC 4287). Long texts take long to render, so it lets others have a turn in between. */
export const writeAtomFeed = async (input: AtomInput, clock: Clock): Promise<AtomFeed> => {
  const { entity, releases, webBaseUrl } = input;
  const updated = releases.length === 0 ? entity.createdAt : releases.map(updatedOf).reduce(later);
  const parts = [declaration, headXml(input, updated)];
  const turn = createShortTurns(clock);
  for (const release of releases) {
    parts.push(entryXml(release, webBaseUrl));
    await turn(); // an entry takes a few milliseconds, unless its text is hostile
  }
  return { text: `${parts.join('\n')}\n${end}\n`, updatedMs: Date.parse(updated) };
};
