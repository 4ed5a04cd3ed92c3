import { parseXml, XmlElement } from '@rgrove/parse-xml';

const atomNamespace = 'http://www.w3.org/2005/Atom';
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export interface ParsedEntry {
  readonly id: string;
  readonly title: string;
  readonly alternate: string;
  readonly published: string;
  readonly updated: string;
  readonly author: string;
  readonly category: string;
  readonly summary: string;
  /** HTML. */
  readonly content: string;
}

export interface ParsedFeed {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly self: string;
  readonly alternate: string;
  readonly entries: readonly ParsedEntry[];
}

const childrenOf = (element: XmlElement): XmlElement[] =>
  element.children.filter((child): child is XmlElement => child instanceof XmlElement);

const named = (element: XmlElement, name: string): XmlElement[] =>
  childrenOf(element).filter((child) => child.name === name);

const breaks = (rule: string): never => {
  throw new Error(`RFC 4287: ${rule}`);
};

const one = (element: XmlElement, name: string): XmlElement => {
  const [found, second] = named(element, name);
  return found === undefined || second !== undefined ? breaks(`${element.name} has exactly one ${name}`) : found;
};

const iri = (text: string): string => (URL.canParse(text) ? text : breaks(`${text} is an absolute address`));
const date = (text: string): string => (rfc3339.test(text) ? text : breaks(`${text} is a date as RFC 3339 has it`));

const textOf = (element: XmlElement, type: string): string => {
  if ((element.attributes['type'] ?? 'text') !== type) breaks(`${element.name} is of type ${type}`);
  return childrenOf(element).length === 0 ? element.text : breaks(`${element.name} holds text only`);
};

const link = (element: XmlElement, rel: string): string => {
  const links = named(element, 'link').filter(({ attributes }) => (attributes['rel'] ?? 'alternate') === rel);
  if (links.length !== 1) breaks(`${element.name} has one ${rel} link`);
  return iri(links[0]?.attributes['href'] ?? '');
};

const parseEntry = (entry: XmlElement): ParsedEntry => ({
  id: iri(one(entry, 'id').text),
  title: textOf(one(entry, 'title'), 'text'),
  alternate: link(entry, 'alternate'),
  published: date(one(entry, 'published').text),
  updated: date(one(entry, 'updated').text),
  author: one(one(entry, 'author'), 'name').text || breaks('a person has a name'),
  category: one(entry, 'category').attributes['term'] ?? breaks('a category has a term'),
  summary: textOf(one(entry, 'summary'), 'text'),
  content: textOf(one(entry, 'content'), 'html'),
});

const allowedInFeed = ['id', 'title', 'link', 'updated', 'entry'];
const allowedInEntry = 'id title link published updated author category summary content'.split(' ');

const requireOnly = (element: XmlElement, allowed: readonly string[]): void => {
  for (const { name } of childrenOf(element))
    if (!allowed.includes(name)) breaks(`${name} is no part of ${element.name}`);
};

/** Reads a feed as strictly as XML 1.0 and RFC 4287 are, and throws where it breaks them. */
export const parseAtom = (text: string): ParsedFeed => {
  const feed = parseXml(text).root;
  if (feed?.name !== 'feed' || feed.attributes['xmlns'] !== atomNamespace) return breaks('the root is a feed of Atom');
  requireOnly(feed, allowedInFeed);
  const entryElements = named(feed, 'entry');
  for (const entry of entryElements) requireOnly(entry, allowedInEntry);
  const entries = entryElements.map(parseEntry);
  if (new Set(entries.map(({ id }) => id)).size !== entries.length) breaks('every entry has an id of its own');
  return {
    id: iri(one(feed, 'id').text),
    title: textOf(one(feed, 'title'), 'text'),
    updated: date(one(feed, 'updated').text),
    self: link(feed, 'self'),
    alternate: link(feed, 'alternate'),
    entries,
  };
};
