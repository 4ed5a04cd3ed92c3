import { readFeedDate } from './feed-date.ts';
import type { FeedText } from './feed-entry.ts';
import { textOf, type XmlNode } from './xml-node.ts';

/** `dc:date`, or `title` for the vocabulary that the entry itself is of. */
type FieldName = string;

interface FieldPlace {
  /** Null for that of the entry. */
  readonly space: string | null;
  readonly local: string;
}

// A feed may have a hundred thousand entries, each of which is asked for every name; there are few of these.
const places = new Map<FieldName, FieldPlace>();

function placeOf(name: FieldName): FieldPlace {
  const known = places.get(name);
  if (known !== undefined) return known;
  const colon = name.indexOf(':');
  const place = { space: colon === -1 ? null : name.slice(0, colon), local: name.slice(colon + 1) };
  places.set(name, place);
  return place;
}

/** Every field of these names, in the order of the names. */
export function fieldsOf(entry: XmlNode, names: readonly FieldName[]): XmlNode[] {
  const found: XmlNode[] = [];
  if (entry.children.length === 0) return found;
  for (const name of names) {
    const { space, local } = placeOf(name);
    const wanted = space ?? entry.space;
    for (const child of entry.children) if (child.local === local && child.space === wanted) found.push(child);
  }
  return found;
}

export const fieldOf = (entry: XmlNode, name: FieldName): XmlNode | null => fieldsOf(entry, [name])[0] ?? null;

/** The first of the fields that holds a date. */
export function dateOf(entry: XmlNode, names: readonly FieldName[]): string | null {
  for (const field of fieldsOf(entry, names)) {
    const date = readFeedDate(textOf(field));
    if (date !== null) return date;
  }
  return null;
}

const isBase64 = (text: string): boolean => /^[a-z0-9+/\s]+={0,2}\s*$/i.test(text);

/** A text of RSS and its extensions: nobody says what it is, but elements in it speak for themselves. */
export const textOfRss = (
  { text, markup, base }: XmlNode,
  form: FeedText['form'],
  otherBase: string | null,
): FeedText =>
  markup === null
    ? { value: text, form, base: base ?? otherBase }
    : { value: markup, form: 'xhtml', base: base ?? otherBase };

/** A text of Atom 1.0 or 0.3; null when it is none, such as an image. */
export function textOfAtom({ attributes, text, markup, base }: XmlNode, otherBase: string | null): FeedText | null {
  const type = attributes.get('type')?.trim().toLowerCase().replace(/;.*$/s, '');
  const within = base ?? otherBase;
  if (attributes.get('mode')?.trim().toLowerCase() === 'base64') {
    if (!isBase64(text) || type?.startsWith('text/') !== true) return null;
    return {
      value: Buffer.from(text, 'base64').toString(),
      form: type === 'text/html' ? 'html' : 'text',
      base: within,
    };
  }
  if (type === 'xhtml' || type === 'application/xhtml+xml') {
    return { value: markup ?? text, form: markup === null ? 'html' : 'xhtml', base: within };
  }
  if (markup !== null && (type === undefined || type.includes('text') || type === 'html')) {
    return { value: markup, form: 'xhtml', base: within };
  }
  if (type === 'html' || type === 'text/html') return { value: text, form: 'html', base: within };
  // Left to its default, it is HTML about as often as text.
  if (type === undefined) return { value: text, form: 'unsure', base: within };
  return type.startsWith('text') ? { value: text, form: 'text', base: within } : null;
}
