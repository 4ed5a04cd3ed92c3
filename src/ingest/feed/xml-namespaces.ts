/** The vocabularies of a feed by short names of ours; the elements of RSS itself have none. */
const known: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2005/atom', 'atom'],
  ['http://purl.org/atom/ns#', 'atom'],
  ['http://purl.org/rss/1.0', ''],
  ['http://purl.org/net/rss1.1#', ''],
  ['http://my.netscape.com/rdf/simple/0.9', ''],
  ['http://channel.netscape.com/rdf/simple/0.9', ''],
  ['http://backend.userland.com/rss', ''],
  ['http://backend.userland.com/rss2', ''],
  ['http://blogs.law.harvard.edu/tech/rss', ''],
  ['http://purl.org/rss/1.0/modules/content', 'content'],
  ['http://purl.org/dc/elements/1.1', 'dc'],
  ['http://purl.org/dc/terms', 'dcterms'],
  ['http://search.yahoo.com/mrss', 'media'],
  ['http://www.w3.org/1999/xhtml', 'xhtml'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['http://rssnamespace.org/feedburner/ext/1.0', 'feedburner'],
  ['http://www.youtube.com/xml/schemas/2015', 'yt'],
]);

/** What a prefix means that nobody has declared. */
const usualPrefixes = new Set(['atom', 'content', 'dc', 'dcterms', 'media', 'xhtml', 'rdf', 'feedburner', 'yt']);

/** What one element declares, by prefix. */
export type Declarations = ReadonlyMap<string, string>;

const normalized = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/\/$/, '');

/** Null where it declares nothing, as most do. */
export function declarationsOf(attributes: ReadonlyMap<string, string>): Declarations | null {
  let declared: Map<string, string> | null = null;
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    declared ??= new Map();
    const address = normalized(value);
    declared.set(name.slice('xmlns:'.length), known.get(address) ?? address);
  }
  return declared;
}

/** The declarations of the elements that are open. */
export interface Namespaces {
  /** The innermost that declares the prefix counts. */
  readonly of: (prefix: string) => string | undefined;
  readonly enter: (declared: Declarations | null) => void;
  /** In the reverse order of `enter`. */
  readonly leave: (declared: Declarations | null) => void;
}

/** Nothing is copied from element to element: to enter and to leave one costs as much as it declares itself. */
export function createNamespaces(): Namespaces {
  const inForce = new Map<string, string[]>();
  return {
    of: (prefix) => inForce.get(prefix)?.at(-1),
    enter: (declared) => {
      for (const [prefix, space] of declared ?? []) {
        const spaces = inForce.get(prefix);
        if (spaces === undefined) inForce.set(prefix, [space]);
        else spaces.push(space);
      }
    },
    leave: (declared) => {
      for (const prefix of declared?.keys() ?? []) {
        const spaces = inForce.get(prefix);
        spaces?.pop();
        if (spaces?.length === 0) inForce.delete(prefix);
      }
    },
  };
}

export interface ElementName {
  /** Short where we know it, else the whole address. */
  readonly space: string;
  /** In lower case: people write pubdate, too. */
  readonly local: string;
}

/** By its own declarations, then by those of the elements around it. */
export function elementName(spelled: string, own: Declarations | null, around: Namespaces): ElementName {
  const colon = spelled.indexOf(':');
  const prefix = colon === -1 ? '' : spelled.slice(0, colon).toLowerCase();
  const fallback = usualPrefixes.has(prefix) ? prefix : prefix === '' ? '' : `unknown ${prefix}`;
  return { space: own?.get(prefix) ?? around.of(prefix) ?? fallback, local: spelled.slice(colon + 1).toLowerCase() };
}
