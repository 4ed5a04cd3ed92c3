import { type FullFeedItem, revisedAt } from '../../../queries/shape/release/feed-item.ts';
import { laterTimestamp } from '../../../queries/shape/timestamps.ts';
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
  /** The newest first, some at a time: of what is written, the text is no longer needed. */
  readonly pages: AsyncIterable<readonly FullFeedItem[]>;
  /** The page that the feed is of. */
  readonly pageUrl: string;
  readonly webBaseUrl: string;
}

export interface AtomFeed {
  readonly text: string;
  readonly updatedMs: number;
}

/** The same for ever, wherever the thing moves (RFC 4151); a tag names a host, not a port. */
const tagOf = (id: string, webBaseUrl: string): string => `tag:${new URL(webBaseUrl).hostname},2026:${id}`;

const publishedOf = ({ publishedAt, fetchedAt }: FullFeedItem): string => publishedAt ?? fetchedAt;
const updatedOf = (release: FullFeedItem): string => laterTimestamp(publishedOf(release), release[revisedAt]);

const entryXml = (release: FullFeedItem, webBaseUrl: string): string =>
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
  const { entity, pages, webBaseUrl } = input;
  const entries: string[] = [];
  let newest: string | null = null;
  const turn = createShortTurns(clock);
  for await (const releases of pages) {
    for (const release of releases) {
      entries.push(entryXml(release, webBaseUrl));
      newest = laterTimestamp(newest ?? '', updatedOf(release));
      await turn(); // an entry takes a few milliseconds, unless its text is hostile
    }
  }
  const updated = newest ?? entity.createdAt;
  const text = `${[declaration, headXml(input, updated), ...entries].join('\n')}\n${end}\n`;
  return { text, updatedMs: Date.parse(updated) };
};
