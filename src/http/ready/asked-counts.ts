/** A byte each: together they tell what is asked for in a window apart, but for a few of a hundred. */
const cellCount = 131_072;
const cellsOfEach = 4;
/** So many questions, then all counts are halved: what was asked for long ago counts less and less. */
const windowAsks = 32_768;
/** Whatever is asked for more often than that is asked for often. */
export const countMax = 15;

/** The half of each of four bytes at once. */
const halvedBytes = (four: number): number => (four >>> 1) & 0x7f7f7f7f;

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/**
 * How often each key was asked for lately, in memory that does not grow: a count-min sketch. Keys that share all of their
 * cells count together, so that one of them may seem to be asked for more often than it is; and less only where one that
 * shares a cell with it was forgotten.
 */
export function createAskedCounts(onHalved: () => void) {
  const fours = new Uint32Array(cellCount / 4);
  const cells = new Uint8Array(fours.buffer);
  const places = new Uint32Array(cellsOfEach);
  let asks = 0;

  function look(key: string): number {
    let place = hashOf(key);
    const step = Math.imul(place ^ (place >>> 15), 0x2c1b3c6d) | 1;
    let least = countMax;
    for (let number = 0; number < cellsOfEach; number += 1) {
      const cell = (place ^ (place >>> 16)) & (cellCount - 1);
      places[number] = cell;
      least = Math.min(least, cells[cell]!);
      place = (place + step) | 0;
    }
    return least;
  }

  function halve(): void {
    asks = 0;
    for (let index = 0; index < fours.length; index += 1) fours[index] = halvedBytes(fours[index]!);
    onHalved();
  }

  return {
    of: look,
    /** Counts a question, and answers how many there were with it. */
    note: (key: string): number => {
      asks += 1;
      if (asks > windowAsks) halve();
      const known = look(key);
      if (known === countMax) return known;
      // Only those that say the least: the others belong to somebody else, too.
      for (const place of places) if (cells[place] === known) cells[place] = known + 1;
      return known + 1;
    },
    forget: (key: string): void => {
      const known = look(key);
      // The others belong to somebody else, too.
      for (const place of places) if (cells[place] === known) cells[place] = 0;
    },
  };
}
