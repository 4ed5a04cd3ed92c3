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

/** A key is a part of the text of its entity. */
export interface KeyPlace {
  readonly from: number;
  readonly to: number;
}

export interface EntityKeys {
  /** Everything that an entity is found by, without what parts its words. */
  readonly text: string;
  /** By tier. What an earlier tier finds anyway need not be among those of a later one. */
  readonly places: readonly (readonly KeyPlace[])[];
}

/** Places are kept in 16 bits. Names, addresses and domains of the lengths that are accepted stay below. */
const textCharsMax = 0xffff;

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
    /** The places of the words, one after the other. */
    add: (words: readonly string[]): KeyPlace[] => {
      const joined = words.join('');
      let from = text.indexOf(joined);
      if (from < 0) {
        if (text.length + joined.length > textCharsMax) return [];
        from = text.length;
        text = [text, joined].join(''); // in one piece, as texts are compared letter by letter, and often
      }
      return words.map(({ length }) => {
        const to = from + length;
        const place = { from, to };
        from = to;
        return place;
      });
    },
  };
};

/** From the first of the words to the last. */
const wholeOf = (words: readonly KeyPlace[]): KeyPlace[] =>
  words.length === 0 ? [] : [{ from: words[0]!.from, to: words.at(-1)!.to }];

/** From each word to the last: a text has a part that begins with something if one of these begins with it. */
const tailsOf = (words: readonly KeyPlace[]): KeyPlace[] => words.map(({ from }) => ({ from, to: words.at(-1)!.to }));

const runsOf = (words: readonly KeyPlace[]): KeyPlace[] =>
  words.flatMap(({ from }, first) => words.slice(first).map(({ to }) => ({ from, to })));

/** What matches one word of a text matches a run of them that begins there: blanks tell no names apart. */
export const entityKeys = ({ name, slug, domains = [], url = null, category = null }: NamedEntity): EntityKeys => {
  const made = createText();
  // The address first: a name and a slug are often part of it.
  const addresses = [...(url === null ? [] : [withoutScheme(url)]), ...domains].map((each) =>
    made.add(nameWords(each)),
  );
  const nameParts = made.add(nameWords(name));
  const slugParts = made.add(nameWords(slug));
  const categoryParts = made.add(category === null ? [] : nameWords(category));
  const text = made.text();

  /** Each once, and none that reads as one of those that are known. */
  const distinct = (places: readonly KeyPlace[], known: readonly KeyPlace[] = []): KeyPlace[] => {
    const seen = new Set(known.map(({ from, to }) => text.slice(from, to)));
    return places.filter(({ from, to }) => {
      const key = text.slice(from, to);
      return !seen.has(key) && seen.add(key);
    });
  };

  const wholeName = wholeOf(nameParts);
  const laterParts = nameParts.slice(1);
  return {
    text,
    places: [
      distinct([...wholeName, ...wholeOf(slugParts)]),
      wholeName,
      distinct(runsOf(laterParts)),
      distinct([...tailsOf(laterParts), ...tailsOf(slugParts), ...addresses.flatMap(tailsOf)], wholeName),
      wholeOf(categoryParts),
    ],
  };
};
