import { compareCodeUnits } from '../../domain/alphabetical.ts';
import { byName } from '../../domain/name-key.ts';
import type { Category } from '../../domain/enumerations.ts';
import {
  beginOf,
  endOf,
  type EntityKeys,
  type EntityTier,
  entityKeys,
  keyPlacesCount,
  type NamedEntity,
  tierMatches,
} from '../../search/entities/entity-keys.ts';
import { createWideMap } from '../wide-map.ts';
import { createRankedTree, type KeyRange, type RankedTree } from './ranked-tree.ts';

interface Doc {
  readonly id: string;
  readonly nameKey: string;
}

export interface Found<D> {
  readonly doc: D;
  readonly tier: EntityTier;
}

interface Placed<D> {
  readonly doc: D;
  readonly category: Category | null;
}

// An entry of a tree is the number of an entity and the place of the key in its text: 21 and 32 bits, which is all that a
// number holds exactly.
const numberIn = (entry: number): number => Math.floor(entry / keyPlacesCount);
/** Computes many times as fast as a division with a rest. */
const placeIn = (entry: number, number: number): number => (entry - number * keyPlacesCount) >>> 0;

/** A part of a text. */
interface Slice {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** By code units; what another begins with is before it. */
const compareSlices = (a: Slice, b: Slice): number => {
  const lengthA = a.to - a.from;
  const lengthB = b.to - b.from;
  const length = Math.min(lengthA, lengthB);
  for (let at = 0; at < length; at += 1) {
    const difference = a.text.charCodeAt(a.from + at) - b.text.charCodeAt(b.from + at);
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
};

const sameNames = (a: NamedEntity, b: NamedEntity): boolean =>
  a.name === b.name &&
  a.slug === b.slug &&
  a.url === b.url &&
  a.category === b.category &&
  a.domains?.join() === b.domains?.join();

/**
 * Entities by all that they are found by: one tree for each tier, whose entries are ranked by name. The words of an entity
 * are cut again when it goes, which is rare; kept, they would take as much memory as the trees.
 */
export const createNameIndex = <D extends Doc>(namedOf: (doc: D, category: Category | null) => NamedEntity) => {
  // By number. Keys and names are apart from what they belong to: they are compared many times before one is looked at.
  const texts: string[] = [];
  const nameKeys: string[] = [];
  const placed: (Placed<D> | null)[] = [];
  const freeNumbers: number[] = [];
  const numbers = createWideMap<number>();

  const sliceOf = (entry: number): Slice => {
    const number = numberIn(entry);
    const place = placeIn(entry, number);
    return { text: texts[number]!, from: beginOf(place), to: endOf(place) };
  };
  const order = {
    byKey: (a: number, b: number) => compareSlices(sliceOf(a), sliceOf(b)) || a - b,
    byRank: (a: number, b: number) => {
      const [numberA, numberB] = [numberIn(a), numberIn(b)];
      if (numberA === numberB) return 0;
      return (
        compareCodeUnits(nameKeys[numberA]!, nameKeys[numberB]!) || byName(placed[numberA]!.doc, placed[numberB]!.doc)
      );
    },
  };
  const trees = tierMatches.map((match) => ({ match, tree: createRankedTree(order) }));

  const eachEntry = (number: number, { places }: EntityKeys, act: (tree: RankedTree, entry: number) => void) => {
    places.forEach((ofTier, tier) => {
      for (const place of ofTier) act(trees[tier]!.tree, number * keyPlacesCount + place);
    });
  };

  const rangeOf = (wanted: string, match: (typeof tierMatches)[number]): KeyRange => {
    const whole = { text: wanted, from: 0, to: wanted.length };
    return (entry) => {
      const { text, from, to } = sliceOf(entry);
      return compareSlices({ text, from, to: match === 'whole' ? to : Math.min(to, from + wanted.length) }, whole);
    };
  };

  const remove = (id: string) => {
    const number = numbers.get(id);
    if (number === undefined) return;
    const { doc, category } = placed[number]!;
    eachEntry(number, entityKeys(namedOf(doc, category)), (tree, entry) => tree.remove(entry));
    placed[number] = null;
    freeNumbers.push(number);
    numbers.delete(id);
  };

  /** Under the same names, so that it is found by its newer state. */
  const replace = (doc: D, category: Category | null): boolean => {
    const number = numbers.get(doc.id);
    const before = number === undefined ? null : placed[number]!;
    if (number === undefined || before === null) return false;
    if (!sameNames(namedOf(before.doc, before.category), namedOf(doc, category))) return false;
    placed[number] = { ...before, doc };
    return true;
  };

  return {
    remove,
    /** Filed under that category, whether it is its own or not. */
    place: (doc: D, category: Category | null) => {
      if (replace(doc, category)) return;
      remove(doc.id);
      const number = freeNumbers.pop() ?? placed.length;
      const keys = entityKeys(namedOf(doc, category));
      placed[number] = { doc, category };
      texts[number] = keys.text;
      nameKeys[number] = doc.nameKey;
      numbers.set(doc.id, number);
      eachEntry(number, keys, (tree, entry) => tree.add(entry));
    },

    /** The first of those that are looked for, by tier and name. */
    find: (wanted: string, limit: number): Found<D>[] => {
      const found = new Map<number, Found<D>>();
      for (const [tier, { match, tree }] of trees.entries()) {
        if (found.size >= limit) break;
        for (const entry of tree.ranked(rangeOf(wanted, match))) {
          const number = numberIn(entry);
          if (!found.has(number)) found.set(number, { doc: placed[number]!.doc, tier: tier as EntityTier });
          if (found.size >= limit) break;
        }
      }
      return [...found.values()];
    },
  };
};
