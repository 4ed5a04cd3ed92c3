/** The vocabularies of a feed by short names of ours; the elements of RSS itself have none. */
const known: Readonly<Record<string, string>> = {
  'http://www.w3.org/2005/atom': 'atom',
  'http://purl.org/atom/ns#': 'atom',
  'http://purl.org/rss/1.0': '',
  'http://purl.org/net/rss1.1#': '',
  'http://my.netscape.com/rdf/simple/0.9': '',
  'http://channel.netscape.com/rdf/simple/0.9': '',
  'http://backend.userland.com/rss': '',
  'http://backend.userland.com/rss2': '',
  'http://blogs.law.harvard.edu/tech/rss': '',
  'http://purl.org/rss/1.0/modules/content': 'content',
  'http://purl.org/dc/elements/1.1': 'dc',
  'http://purl.org/dc/terms': 'dcterms',
  'http://search.yahoo.com/mrss': 'media',
  'http://www.w3.org/1999/xhtml': 'xhtml',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'rdf',
  'http://rssnamespace.org/feedburner/ext/1.0': 'feedburner',
  'http://www.youtube.com/xml/schemas/2015': 'yt',
};

/** What a prefix means that nobody has declared. */
const usualPrefixes = new Set(['atom', 'content', 'dc', 'dcterms', 'media', 'xhtml', 'rdf', 'feedburner', 'yt']);

export type Namespaces = ReadonlyMap<string, string>;

export const noNamespaces: Namespaces = new Map();

const normalized = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/\/$/, '');

/** Those in force within an element; the same map again where it declares none. */
export function namespacesWithin(outer: Namespaces, attributes: ReadonlyMap<string, string>): Namespaces {
  let inner: Map<string, string> | null = null;
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    inner ??= new Map(outer);
    const address = normalized(value);
    inner.set(name.slice('xmlns:'.length), known[address] ?? address);
  }
  return inner ?? outer;
}

export interface ElementName {
  /** Short where we know it, else the whole address. */
  readonly space: string;
  /** In lower case: people write pubdate, too. */
  readonly local: string;
}

export function elementName(spelled: string, namespaces: Namespaces): ElementName {
  const colon = spelled.indexOf(':');
  const prefix = colon === -1 ? '' : spelled.slice(0, colon).toLowerCase();
  const fallback = usualPrefixes.has(prefix) ? prefix : prefix === '' ? '' : `unknown ${prefix}`;
  return { space: namespaces.get(prefix) ?? fallback, local: spelled.slice(colon + 1).toLowerCase() };
}
