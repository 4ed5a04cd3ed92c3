import { absoluteAddress } from '../html/web-address.ts';
import type { FeedEntry, FeedHead, FeedText } from './feed-entry.ts';
import { feedMedia, mediaElements } from './feed-media.ts';
import { childrenOf, textOf, type XmlNode } from './xml-node.ts';
import { dateOf, fieldOf, fieldsOf, textOfAtom, textOfRss } from './xml-fields.ts';

const dates = [
  'pubdate',
  'dc:date',
  'dcterms:issued',
  'dcterms:created',
  'atom:published',
  'atom:updated',
  'dcterms:modified',
  'date',
  'published',
];

/** When it was published, as far as it says. */
export const rssDate = (item: XmlNode): string | null => dateOf(item, dates);

const isPermalink = (guid: XmlNode): boolean => guid.attributes.get('ispermalink')?.trim().toLowerCase() !== 'false';

/** A guid that is an address says so by being a whole one. */
const permalinkOf = (guid: XmlNode | null): string | null =>
  guid !== null && isPermalink(guid) ? absoluteAddress(textOf(guid), null) : null;

function addressOf(item: XmlNode, base: string): string | null {
  const within = (node: XmlNode) => node.base ?? base;
  const links = fieldsOf(item, ['feedburner:origlink', 'link']).map((link) =>
    absoluteAddress(textOf(link) || (link.attributes.get('href') ?? ''), within(link)),
  );
  const alternates = childrenOf(item, 'atom', 'link').map((link) =>
    (link.attributes.get('rel') ?? 'alternate') === 'alternate'
      ? absoluteAddress(link.attributes.get('href') ?? '', within(link))
      : null,
  );
  const about = absoluteAddress(item.attributes.get('rdf:about') ?? '', null);
  return (
    [...links, permalinkOf(fieldOf(item, 'guid')), ...alternates, about].find((address) => address !== null) ?? null
  );
}

/** An item of RSS 0.9x, 1.0 or 2.0. */
export function rssEntry(item: XmlNode, { address: feedAddress, pageAddress }: FeedHead): FeedEntry {
  const base = pageAddress ?? feedAddress;
  const address = addressOf(item, base);
  const guid = fieldOf(item, 'guid');
  const textBase = address ?? base;
  const title = fieldsOf(item, ['title', 'dc:title', 'media:title']).find(
    (field) => textOf(field) !== '' || field.markup !== null,
  );
  const texts: (FeedText | null)[] = [
    ...fieldsOf(item, ['content:encoded']).map((field) => textOfRss(field, 'html', textBase)),
    ...fieldsOf(item, ['xhtml:body', 'xhtml:div']).map((field) => textOfRss(field, 'html', textBase)),
    ...fieldsOf(item, ['atom:content']).map((field) => textOfAtom(field, textBase)),
    ...fieldsOf(item, ['description', 'dc:description', 'encoded', 'content']).map((field) =>
      textOfRss(field, 'unsure', textBase),
    ),
    ...fieldsOf(item, ['atom:summary']).map((field) => textOfAtom(field, textBase)),
    ...fieldsOf(item, ['media:description']).map((field) => textOfRss(field, 'unsure', textBase)),
  ];
  const enclosures = fieldsOf(item, ['enclosure']).map(({ attributes }) => ({
    address: attributes.get('url'),
    type: attributes.get('type'),
  }));
  return {
    title: title === undefined ? null : textOfRss(title, 'unsure', textBase),
    texts: texts.filter((text) => text !== null),
    guid: textOf(guid) || null,
    address,
    publishedAt: rssDate(item),
    media: feedMedia([...enclosures, ...mediaElements(item)], { base: item.base ?? base }),
  };
}
