import { htmlToLine } from '../html/html-to-line.ts';
import { absoluteAddress } from '../html/web-address.ts';
import { atomDate, atomEntry } from './atom-entry.ts';
import { decodeText } from './decode-text.ts';
import type { FeedEntry, FeedHead } from './feed-entry.ts';
import { isModestJson, readJsonFeed } from './json-feed.ts';
import { createNewestEntries } from './newest-entries.ts';
import { rssDate, rssEntry } from './rss-entry.ts';
import { scanXmlFeed } from './scan-xml-feed.ts';
import { textOf, type XmlNode } from './xml-node.ts';

/** More than go into one batch, as some may turn out to be none or the same. */
const entriesMax = 1_000;

export interface ReadFeed {
  readonly title: string | null;
  /** The page that the feed belongs to. */
  readonly pageAddress: string | null;
  /** The newest first, and no more than anybody wants. */
  readonly entries: readonly FeedEntry[];
  /** How many there are beside them, which are older. */
  readonly olderCount: number;
  /** Of what the feed has, those that are no entries. */
  readonly unreadable: number;
}

/** It is something else, perhaps a page that tells where the feed is. */
export class NoFeed extends Error {
  readonly html: string | null;

  constructor(html: string | null, options: ErrorOptions = {}) {
    super('there is no feed in it', options);
    this.name = 'NoFeed';
    this.html = html;
  }
}

function readJson(text: string, address: string): ReadFeed {
  if (!isModestJson(text)) throw new NoFeed(null);
  const newest = createNewestEntries(entriesMax);
  let head: Pick<ReadFeed, 'title' | 'pageAddress'> = { title: null, pageAddress: null };
  let unreadable = 0;
  try {
    const isFeed = readJsonFeed(text, address, {
      head: (read) => {
        head = read;
      },
      entry: (entry) => {
        if (entry === null) unreadable += 1;
        else newest.add(entry.publishedAt, () => entry);
      },
    });
    if (!isFeed) throw new NoFeed(null);
  } catch (error) {
    if (error instanceof SyntaxError) throw new NoFeed(null, { cause: error });
    throw error;
  }
  return { ...head, entries: newest.list(), olderCount: newest.olderCount(), unreadable };
}

/** Of Atom's links one leads to the page. */
function pageAddressIn({ local, attributes, text, base }: XmlNode, address: string): string | null {
  if (local !== 'link' || (attributes.get('rel') ?? 'alternate') !== 'alternate') return null;
  return absoluteAddress(attributes.get('href') ?? text.trim(), base ?? address);
}

function readXml(text: string, address: string, isWhole: boolean): ReadFeed {
  const newest = createNewestEntries(entriesMax);
  const read: { title: string | null; head: FeedHead; addLast: () => void } = {
    title: null,
    head: { address, pageAddress: null },
    addLast: () => {},
  };
  const kind = scanXmlFeed(text, address, {
    head: (field) => {
      if (field.local === 'title' && field.space !== 'media') read.title ??= htmlToLine(textOf(field)) || null;
      read.head = { address, pageAddress: read.head.pageAddress ?? pageAddressIn(field, address) };
    },
    entry: (entry, of) => {
      read.addLast();
      const { head } = read;
      read.addLast = () => {
        if (of === 'rss') newest.add(rssDate(entry), () => rssEntry(entry, head));
        else newest.add(atomDate(entry), () => atomEntry(entry, head));
      };
    },
  });
  if (kind === null) throw new NoFeed(/<(?:!doctype\s+html|html|head|body|link)\b/i.test(text) ? text : null);
  // The last entry of a feed that was cut off is most likely half of one.
  if (isWhole) read.addLast();
  const { title, head } = read;
  const [entries, olderCount] = [newest.list(), newest.olderCount()];
  return { title, pageAddress: head.pageAddress, entries, olderCount, unreadable: 0 };
}

export interface FeedBody {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** Where it was read from. */
  readonly address: string;
  /** False when its end was not read. */
  readonly isWhole: boolean;
}

/**
 * RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed 1.0 and 1.1, told by what they hold, whatever they call themselves.
 * Throws NoFeed.
 */
export function readFeed({ bytes, contentType, address, isWhole }: FeedBody): ReadFeed {
  const text = decodeText(bytes, contentType);
  if (/^\s*\{/.test(text)) return readJson(text, address);
  const isPage = /^\s*(?:<!--[^>]{0,1000}-->\s*)?<(?:!doctype\s+html|html)\b/i.test(text);
  if (isPage) throw new NoFeed(text);
  return readXml(text, address, isWhole);
}
