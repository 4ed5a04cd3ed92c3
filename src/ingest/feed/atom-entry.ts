import { absoluteAddress } from '../html/web-address.ts';
import type { FeedEntry, FeedHead } from './feed-entry.ts';
import { feedMedia, mediaElements } from './feed-media.ts';
import { fieldOf, fieldsOf, dateOf, textOfAtom, textOfRss } from './xml-fields.ts';
import { childOf, textOf, type XmlNode } from './xml-node.ts';

const dates = ['published', 'issued', 'created', 'updated', 'modified', 'dc:date', 'pubdate'];

/** When it was published, as far as it says. */
export const atomDate = (entry: XmlNode): string | null => dateOf(entry, dates);

const relationOf = ({ attributes }: XmlNode): string => attributes.get('rel')?.trim().toLowerCase() || 'alternate';

const hrefOf = (link: XmlNode, feedAddress: string): string | null =>
  absoluteAddress(link.attributes.get('href') ?? textOf(link), link.base ?? feedAddress);

/** The page of an entry rather than another form of it. */
function addressOf(entry: XmlNode, feedAddress: string): string | null {
  const original = absoluteAddress(textOf(childOf(entry, 'feedburner', 'origlink')), null);
  const alternates = fieldsOf(entry, ['link', 'atom:link']).filter((link) => relationOf(link) === 'alternate');
  const pages = alternates.filter(({ attributes }) => /html/i.test(attributes.get('type') ?? 'html'));
  const links = [...pages, ...alternates].map((link) => hrefOf(link, feedAddress));
  return (
    [original, ...links, absoluteAddress(textOf(fieldOf(entry, 'id')), null)].find((address) => address !== null) ??
    null
  );
}

/** An entry of Atom 1.0 or 0.3. */
export function atomEntry(entry: XmlNode, { address: feedAddress }: FeedHead): FeedEntry {
  const title = fieldsOf(entry, ['title', 'media:title']).find(
    (field) => textOf(field) !== '' || field.markup !== null,
  );
  const group = childOf(entry, 'media', 'group');
  const described = [entry, ...(group === null ? [] : [group])].flatMap((node) =>
    fieldsOf(node, ['media:description']),
  );
  const texts = [
    ...fieldsOf(entry, ['content', 'content:encoded', 'summary']).map((field) => textOfAtom(field, feedAddress)),
    ...described.map((field) => textOfRss(field, 'text', feedAddress)),
  ];
  const enclosures = fieldsOf(entry, ['link'])
    .filter((link) => relationOf(link) === 'enclosure')
    .map(({ attributes }) => ({
      address: attributes.get('href'),
      type: attributes.get('type'),
      alt: attributes.get('title'),
    }));
  const address = addressOf(entry, feedAddress);
  return {
    title: title === undefined ? null : textOfAtom(title, feedAddress),
    texts: texts.filter((text) => text !== null),
    guid: textOf(fieldOf(entry, 'id')) || null,
    address,
    publishedAt: atomDate(entry),
    media: feedMedia([...enclosures, ...mediaElements(entry)], {
      base: entry.base ?? feedAddress,
      linkUrl: group === null ? null : address,
    }),
  };
}
