/** Two tags may share a place: then a touch of one is taken for a touch of the other, and none is ever missed. */
const places = 65_536;
/** Those of one letter share with none: all others are touched beside them. */
const lettersPlaces = 256;

/** What may be touched, by the places of its tags. */
export type Places = readonly number[];

/** Touched by every write. */
export const anyWritePlaces: Places = [0];

/**
 * When something was written last, by tags, for the threads of a process. The stamp counts writes; each place holds the
 * stamp of the last write that touched a tag there.
 */
export interface TouchedTags {
  readonly stamp: () => number;
  /** To be called once what was written can be read: whoever reads the new stamp reads the new content. */
  readonly touch: (tags: Iterable<string>) => void;
  readonly isTouchedSince: (places: Places, stamp: number) => boolean;
}

/** FNV-1a. */
export function placeOf(tag: string): number {
  if (tag.length === 1) return 1 + (tag.charCodeAt(0) % lettersPlaces);
  let hash = 0x811c9dc5;
  for (let index = 0; index < tag.length; index += 1) {
    hash = Math.imul(hash ^ tag.charCodeAt(index), 0x01000193);
  }
  return 1 + lettersPlaces + ((hash ^ (hash >>> 16)) & (places - 1));
}

const cellCount = 1 + lettersPlaces + places;
export const touchedTagsBytes = cellCount * Int32Array.BYTES_PER_ELEMENT;

/** By the difference: the stamp begins anew after 2^32 writes. */
const isAfter = (one: number, other: number): boolean => ((one - other) | 0) > 0;

/** Writers that overlap are at most so many writes apart. */
const overlapMax = 1_000_000;

/** Never back: another writer may have come later and be done before. */
function raise(cells: Int32Array, place: number, stamp: number): void {
  let known = Atomics.load(cells, place);
  while (!(isAfter(known, stamp) && ((known - stamp) | 0) < overlapMax)) {
    const found = Atomics.compareExchange(cells, place, known, stamp);
    if (found === known) return;
    known = found;
  }
}

export const createTouchedTags = (memory: SharedArrayBuffer, offset = 0): TouchedTags => {
  const cells = new Int32Array(memory, offset, cellCount);
  return {
    stamp: () => Atomics.load(cells, 0),
    touch: (tags) => {
      // Its own number first: with that of another writer, who may be done before, the touch would look older than it is.
      const stamp = (Atomics.add(cells, 0, 1) + 1) | 0;
      for (const tag of tags) raise(cells, placeOf(tag), stamp);
    },
    isTouchedSince: (touched, stamp) => touched.some((place) => isAfter(Atomics.load(cells, place), stamp)),
  };
};
