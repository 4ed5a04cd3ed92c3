import type { OrgDocument } from '../../../projections/org/org.ts';
import { byName } from '../../domain/name-key.ts';
import { createSearchedTexts } from './searched-texts.ts';

const matches = ({ nameKey, slug }: OrgDocument, q: string): boolean => nameKey.includes(q) || slug.includes(q);

/** Orgs that are searched, by name. */
export interface OrgsSearched {
  /** The same array as long as they are the same. */
  readonly orgs: readonly OrgDocument[];
  /** Whether it is one of them. */
  readonly has: (org: OrgDocument) => boolean;
}

type Scan = (q: string) => readonly OrgDocument[];

/** Goes through all of some orgs. */
const createOrgScan = (orgs: readonly OrgDocument[]): Scan => {
  const texts = createSearchedTexts(orgs.map(({ nameKey, slug }) => `${nameKey}\n${slug}`));
  /** Who goes from page to page asks the same again. */
  let last: { readonly q: string; readonly found: readonly OrgDocument[] } = { q: '', found: orgs };

  return (q) => {
    // No name or slug has what stands between them.
    if (q.includes('\n')) return [];
    if (q !== last.q) last = { q, found: texts.having(q).map((number) => orgs[number]!) };
    return last.found;
  };
};

/** Longer parts are rarer and their ids take more memory; shorter ones are in so many names that they would help little. */
const partChars = 3;

/** So many are looked at in less time than it takes to find a rarer part. */
const fewEnough = 4;

const partsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - partChars + 1) }, (_, at) => text.slice(at, at + partChars));

/** All that is searched of an org as one text, which is one place in memory to look at, and its id. */
const entryOf = ({ id, nameKey, slug }: OrgDocument): string => `${nameKey}\n${slug}\n${id}`;
const idOfEntry = (entry: string): string => entry.slice(entry.lastIndexOf('\n') + 1);
const partsOfEntry = (entry: string): Set<string> => new Set(partsOf(entry.slice(0, entry.lastIndexOf('\n'))));

/** Which orgs have a part in their name or slug. */
const createOrgParts = () => {
  const entriesByPart = new Map<string, Set<string>>();
  const entryById = new Map<string, string>();
  const none: ReadonlySet<string> = new Set();

  const remove = (id: string) => {
    const entry = entryById.get(id);
    if (entry === undefined) return;
    entryById.delete(id);
    for (const part of partsOfEntry(entry)) {
      const having = entriesByPart.get(part);
      having?.delete(entry);
      if (having?.size === 0) entriesByPart.delete(part);
    }
  };

  return {
    remove,
    place: (org: OrgDocument) => {
      const entry = entryOf(org);
      if (entryById.get(org.id) === entry) return;
      remove(org.id);
      entryById.set(org.id, entry);
      for (const part of partsOfEntry(entry)) {
        const having = entriesByPart.get(part);
        if (having === undefined) entriesByPart.set(part, new Set([entry]));
        else having.add(entry);
      }
    },
    /** Those that may have the text, by its rarest part; undefined when it is too short to tell. */
    candidates: (q: string): ReadonlySet<string> | undefined => {
      let rarest: ReadonlySet<string> | undefined;
      for (let at = 0; at + partChars <= q.length; at += 1) {
        const having = entriesByPart.get(q.slice(at, at + partChars)) ?? none;
        if (rarest === undefined || having.size < rarest.size) rarest = having;
        if (rarest.size <= fewEnough) break;
      }
      return rarest;
    },
  };
};

/** Beyond this share of all orgs, going through all texts in their order is cheaper than sorting what was found. */
const candidatesShareMax = 1 / 16;

export interface OrgSearchDeps {
  readonly org: (id: string) => OrgDocument | undefined;
  /** By name. */
  readonly every: () => readonly OrgDocument[];
}

/** Finds orgs by a part of their name or slug, in lower case; by name. */
export const createOrgSearch = ({ org: orgOf, every }: OrgSearchDeps) => {
  const parts = createOrgParts();
  const scans = new WeakMap<readonly OrgDocument[], Scan>();

  const scanOf = (orgs: readonly OrgDocument[]): Scan => {
    const known = scans.get(orgs);
    if (known !== undefined) return known;
    const scan = createOrgScan(orgs);
    scans.set(orgs, scan);
    return scan;
  };

  return {
    place: parts.place,
    remove: parts.remove,
    /** Among some of them, or all. */
    matching: (q: string, { orgs, has }: OrgsSearched = { orgs: every(), has: () => true }): readonly OrgDocument[] => {
      const candidates = parts.candidates(q);
      if (candidates === undefined || candidates.size > orgs.length * candidatesShareMax) return scanOf(orgs)(q);
      const found: OrgDocument[] = [];
      for (const entry of candidates) {
        const org = entry.includes(q) ? orgOf(idOfEntry(entry)) : undefined;
        if (org !== undefined && matches(org, q) && has(org)) found.push(org); // and not in its id, or where its name ends
      }
      return found.sort(byName);
    },
  };
};
