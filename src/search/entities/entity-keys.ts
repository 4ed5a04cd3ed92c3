import { nameWords } from './name-words.ts';

/** What an entity can be found by. */
export interface NamedEntity {
  readonly name: string;
  readonly slug: string;
  /** Its own and other domains. */
  readonly domains?: readonly string[];
  readonly url?: string | null;
  readonly category?: string | null;
}

/** The smaller, the better: 0 is the thing itself (contract 7.2). */
export type EntityTier = 0 | 1 | 2 | 3 | 4;

/** In each tier, how a key must be what is looked for: the whole of it, or its beginning. */
export const tierMatches = ['whole', 'beginning', 'whole', 'beginning', 'whole'] as const;

/** Places are kept in 16 bits. Names, addresses and domains of the lengths that are accepted stay below. */
const placeBits = 16;
const placesCount = 2 ** placeBits;

/** A key is a part of the text of its entity: where it begins and where it ends, as one number of 32 bits. */
type KeyPlace = number;

const placeOf = (from: number, to: number): KeyPlace => from * placesCount + to;
export const beginOf = (place: KeyPlace): number => place >>> placeBits;
export const endOf = (place: KeyPlace): number => place & (placesCount - 1);

/** One more than the largest place. */
export const keyPlacesCount = placesCount * placesCount;

export interface EntityKeys {
  /** Everything that an entity is found by, without what parts its words. */
  readonly text: string;
  /** By tier. What an earlier tier finds anyway need not be among those of a later one. */
  readonly places: readonly (readonly KeyPlace[])[];
}

const withoutScheme = (address: string): string => address.replace(/^https?:\/\//i, '');

/** How somebody may begin who pastes an address or names a repository; what comes after it tells which one. */
const addressStart = /^(?:https?:\/\/|github:)?(?:www\.)?/i;

/** What is typed, as one word: blanks, dashes and case tell no names apart. Null when nothing is left to look for. */
export const wantedWord = (q: string): string | null => nameWords(q.trim().replace(addressStart, '')).join('') || null;

/** One text of several, in which what is part of another stands once. */
const createText = () => {
  let text = '';
  return {
    text: () => text,
    /** Where each of the words begins, one after the other, and where the last one ends; nothing where there are none. */
    add: (words: readonly string[]): readonly number[] => {
      if (words.length === 0) return [];
      const joined = words.join('');
      let at = text.indexOf(joined);
      if (at < 0) {
        if (text.length + joined.length >= placesCount) return [];
        at = text.length;
        text = [text, joined].join(''); // in one piece, as texts are compared letter by letter, and often
      }
      const edges = [at];
      for (const { length } of words) {
        at += length;
        edges.push(at);
      }
      return edges;
    },
  };
};

// Plain loops over numbers: a start makes the keys of all entities, and to compile chains of small functions for that took
// longer than to run them.

/** From the first of the words to the last. */
const addWhole = (to: KeyPlace[], edges: readonly number[]): void => {
  if (edges.length > 0) to.push(placeOf(edges[0]!, edges[edges.length - 1]!));
};

/** From each word on to the last: a text has a part that begins with something if one of these begins with it. */
const addTails = (to: KeyPlace[], edges: readonly number[], first: number): void => {
  const end = edges[edges.length - 1]!;
  for (let word = first; word < edges.length - 1; word += 1) to.push(placeOf(edges[word]!, end));
};

/** Each run of words. */
const addRuns = (to: KeyPlace[], edges: readonly number[], first: number): void => {
  for (let word = first; word < edges.length - 1; word += 1) {
    for (let last = word + 1; last < edges.length; last += 1) to.push(placeOf(edges[word]!, edges[last]!));
  }
};

/** Each once, and none that reads as one that is known. */
const distinct = (text: string, places: readonly KeyPlace[], known?: KeyPlace): KeyPlace[] => {
  const seen = new Set<string>();
  const found: KeyPlace[] = [];
  if (known !== undefined) seen.add(text.slice(beginOf(known), endOf(known)));
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at]!;
    const key = text.slice(beginOf(place), endOf(place));
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(place);
  }
  return found;
};

/** What matches one word of a text matches a run of them that begins there: blanks tell no names apart. */
export const entityKeys = ({ name, slug, domains = [], url = null, category = null }: NamedEntity): EntityKeys => {
  const made = createText();
  const parts: KeyPlace[] = [];
  // The address first: a name and a slug are often part of it.
  if (url !== null) addTails(parts, made.add(nameWords(withoutScheme(url))), 0);
  for (const domain of domains) addTails(parts, made.add(nameWords(domain)), 0);
  const nameEdges = made.add(nameWords(name));
  const slugEdges = made.add(nameWords(slug));
  const categoryEdges = made.add(category === null ? [] : nameWords(category));
  const text = made.text();

  const itself: KeyPlace[] = [];
  addWhole(itself, nameEdges);
  addWhole(itself, slugEdges);
  const begun: KeyPlace[] = [];
  addWhole(begun, nameEdges);
  const laterWords: KeyPlace[] = [];
  addRuns(laterWords, nameEdges, 1);
  addTails(parts, nameEdges, 1);
  addTails(parts, slugEdges, 0);
  const topic: KeyPlace[] = [];
  addWhole(topic, categoryEdges);
  return {
    text,
    places: [distinct(text, itself), begun, distinct(text, laterWords), distinct(text, parts, begun[0]), topic],
  };
};
