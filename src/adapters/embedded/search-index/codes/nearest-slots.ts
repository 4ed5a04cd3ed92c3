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

/** Codes that stand beside each other may be of one document, so each group has few. */
const groupCodes = 4;

/** So many groups, each as far behind the one before. */
interface LookedAt {
  readonly groups: number;
  readonly stride: number;
}

export function createNearestSlots(codes: CodeMemory, slots: ComparedSlots): NearestSlots {
  const { memory, codeBytes, nearAt, copiesAt } = codes;
  const bitsMax = codeBytes * 8;
  /** Of codes that have nothing to do with each other few differ in so few bits: of 256 one of forty in 112. */
  const closeBits = Math.floor(bitsMax / 2 - Math.sqrt(bitsMax));
  const nearCodes = createNearCodes(memory, codeBytes);
  const takenAt: TakenEntries[] = []; // by the place of the query

  const compare = (place: number, code: number, count: number, bound: number): Int32Array => {
    const end = nearCodes({ code, count, query: codes.queryAt(place), out: nearAt, bound });
    return new Int32Array(memory.buffer, nearAt, (end - nearAt) / 4);
  };

  /** Beside each other, so that they are compared with a query in one call. */
  const copyLookedAt = ({ groups, stride }: LookedAt): void => {
    const groupBytes = groupCodes * codeBytes;
    for (let group = 0; group < groups; group += 1) {
      codes.copy(copiesAt + group * groupBytes, codes.codesAt + group * stride * codeBytes, groupBytes);
    }
  };

  /** Queries of one filter, of whichever list, have one and the same `mayTake`, which is asked once for all of them. */
  const createMayLookAt = ({ groups, stride }: LookedAt) => {
    const known = new Map<WantedSlots['mayTake'], Uint8Array>(); // 0 where it was not asked yet
    return (nth: number, asked: Asked): boolean => {
      let answers = known.get(asked.mayTake);
      if (answers === undefined) {
        answers = new Uint8Array(groups * groupCodes);
        known.set(asked.mayTake, answers);
      }
      if (answers[nth] === 0) {
        const slot = Math.floor(nth / groupCodes) * stride + (nth % groupCodes);
        answers[nth] = slots.mayTake(slot, asked) ? 1 : 2;
      }
      return answers[nth] === 1;
    };
  };

  const boundOf = (countAt: Int32Array, expected: number): number => {
    let missing = expected + 3 * Math.sqrt(expected) + 3; // what chance may add to them
    for (let bits = 0; bits < bitsMax; bits += 1) {
      missing -= countAt[bits]!;
      if (missing <= 0) return bits;
    }
    return bitsMax;
  };

  /**
   * In how many bits the wanted ones differ at most, as a few codes tell; rather too many than too few. Without it all of the
   * first codes would be taken, most of which are let go later.
   */
  const guessBounds = (all: readonly Asked[]): number[] => {
    if (slots.count() < guessedMin) return all.map(() => bitsMax);
    const wholeTurns = codesAtOnce / groupCodes; // what stands behind the last copy is none
    const shared = Math.floor(((slots.count() / groupCodes) * guessShare) / wholeTurns) * wholeTurns;
    const groups = Math.min(guessGroupsMax, shared);
    const lookedAt = { groups, stride: Math.floor(slots.count() / groups) };
    const count = groups * groupCodes;
    copyLookedAt(lookedAt);
    const mayLookAt = createMayLookAt(lookedAt);
    const guessWithin = (asked: Asked, bound: number): number => {
      const countAt = new Int32Array(bitsMax + 1);
      for (const found of compare(asked.place, copiesAt, count, bound)) {
        if (mayLookAt(found & 0xffff, asked)) countAt[found >>> 16]! += 1;
      }
      return boundOf(countAt, (asked.entries * count) / slots.count());
    };
    return all.map((asked) => {
      const guess = guessWithin(asked, closeBits);
      return guess < bitsMax ? guess : guessWithin(asked, bitsMax);
    });
  };

  const takeFrom = (asked: Asked, from: number): void => {
    const { place, taken } = asked;
    const code = codes.codesAt + from * codeBytes;
    const near = compare(place, code, Math.min(stepEntries, slots.count() - from), taken.bound());
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
      const guesses = guessBounds(all);
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
