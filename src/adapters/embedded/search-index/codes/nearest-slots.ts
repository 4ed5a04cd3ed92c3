import { type CodeMemory, stepEntries } from './code-memory.ts';
import { codesAtOnce, createNearCodes } from './hamming-module.ts';
import { createTakenEntries, type TakenEntries } from './taken-entries.ts';

/** What is known of the codes in memory besides their bits. */
export interface ComparedSlots {
  readonly count: () => number;
  readonly mayTake: (slot: number, wanted: WantedSlots) => boolean;
}

export interface WantedSlots {
  readonly code: Buffer;
  readonly entries: number;
  /** By the ordinal of a document. */
  readonly mayTake: (ordinal: number) => boolean;
}

interface Asked extends WantedSlots {
  readonly place: number;
  readonly taken: TakenEntries;
}

export interface NearestSlots {
  /**
   * For each of some queries the entries that differ in the fewest bits, of those that may be taken: as many as are wanted, and
   * those that differ in no more than the last. What it answers is good until it is asked again.
   */
  readonly find: (wanted: readonly WantedSlots[]) => Int32Array[];
  readonly bytes: () => number;
}

/**
 * Codes that are looked at to guess how near the nearest are: so many groups of them, from all over the set. The more, the closer
 * the guess: by 512 of 500,000 codes five times as many are taken as by 4,096, and each that is taken costs as much as 40 compared.
 */
const guessGroupsMax = 1_024;
/** In a smaller set the guess would cost as much as it spares. */
const guessedMin = 32_768;
/** Of the groups of a set; more would cost more than a closer guess spares. */
const guessShare = 1 / 64;

export function createNearestSlots(codes: CodeMemory, slots: ComparedSlots): NearestSlots {
  const { memory, codeBytes, nearAt } = codes;
  const bitsMax = codeBytes * 8;
  const nearCodes = createNearCodes(memory, codeBytes);
  const takenAt: TakenEntries[] = []; // by the place of the query

  const compare = (place: number, from: number, count: number, bound: number): Int32Array => {
    const code = codes.codesAt + from * codeBytes;
    const end = nearCodes({ code, count, query: codes.queryAt(place), out: nearAt, bound });
    return new Int32Array(memory.buffer, nearAt, (end - nearAt) / 4);
  };

  /**
   * In how many bits the wanted ones differ at most, as a few codes tell; rather too many than too few. Without it all of the
   * first codes would be taken, most of which are let go later.
   */
  const guessBound = (asked: Asked): number => {
    if (slots.count() < guessedMin) return bitsMax;
    const countAt = new Int32Array(bitsMax + 1);
    const guessGroups = Math.min(guessGroupsMax, Math.floor((slots.count() / codesAtOnce) * guessShare));
    const stride = Math.floor(slots.count() / guessGroups);
    for (let group = 0; group < guessGroups; group += 1) {
      const first = group * stride;
      const near = compare(asked.place, first, codesAtOnce, bitsMax);
      for (let nth = 0; nth < codesAtOnce; nth += 1) {
        if (slots.mayTake(first + nth, asked)) countAt[near[nth]! >>> 16]! += 1;
      }
    }
    const expected = (asked.entries * guessGroups * codesAtOnce) / slots.count();
    let missing = expected + 3 * Math.sqrt(expected) + 3; // what chance may add to them
    for (let bits = 0; bits < bitsMax; bits += 1) {
      missing -= countAt[bits]!;
      if (missing <= 0) return bits;
    }
    return bitsMax;
  };

  const takeFrom = (asked: Asked, from: number): void => {
    const { place, taken } = asked;
    const near = compare(place, from, Math.min(stepEntries, slots.count() - from), taken.bound());
    for (let index = 0; index < near.length; index += 1) {
      const bits = near[index]! >>> 16;
      if (bits > taken.bound()) continue;
      const slot = from + (near[index]! & 0xffff);
      if (slots.mayTake(slot, asked)) taken.take(slot, bits);
    }
  };

  const takeFromAll = (all: readonly Asked[]): void => {
    for (let from = 0; from < slots.count(); from += stepEntries) for (const asked of all) takeFrom(asked, from);
  };

  return {
    find: (wanted) => {
      const all = wanted.map((one, place): Asked => {
        codes.write(codes.queryAt(place), one.code);
        return { ...one, place, taken: (takenAt[place] ??= createTakenEntries(bitsMax)) };
      });
      const guesses = all.map(guessBound);
      for (const [place, { taken, entries }] of all.entries()) taken.begin(guesses[place]!, entries);
      takeFromAll(all);
      const guessedTooClose = all.filter(
        ({ place, taken, entries }) => taken.slots().length < entries && guesses[place]! < bitsMax,
      );
      for (const { taken, entries } of guessedTooClose) taken.begin(bitsMax, entries);
      if (guessedTooClose.length > 0) takeFromAll(guessedTooClose);
      return all.map(({ taken }) => taken.slots());
    },
    bytes: () => takenAt.reduce((sum, taken) => sum + taken.bytes(), 0),
  };
}
