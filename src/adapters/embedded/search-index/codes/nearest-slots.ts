import { type CodeMemory, createCodeMemory, stepEntries } from './code-memory.ts';
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

interface Guess {
  /** In how many bits the nearest differ at most. */
  readonly bound: number;
  /** Where most may be taken, so many are, and asked about afterwards. Else each that is near is asked about before. */
  readonly takenUnasked: number | null;
}

export interface NearestSlots {
  /** In place of the code that stood there; there is room for it. */
  readonly put: (slot: number, code: Uint8Array) => void;
  /**
   * For each of some queries the entries that differ in the fewest bits, of those that may be taken: at least as many as are
   * wanted, and those that differ in no more than the last. What it answers is good until it is asked again.
   */
  readonly find: (wanted: readonly WantedSlots[]) => Int32Array[];
  readonly bytes: () => number;
}

/**
 * Every so many-th code is compared first, to guess how near the nearest are. The more, the closer the guess: each code that is
 * taken because it is no better costs as much as 40 compared.
 */
const sampledEach = 32;
/** In a smaller set the guess would cost as much as it spares. */
const guessedMin = 32_768;
/**
 * To ask whether one may be taken costs most of what is done for it: what is known of it lies anywhere in memory. So of the
 * first ones that are near only some are asked about, and where most of them may be taken, of the others only the nearest.
 */
const askedEach = 4;
const askedMin = 8;
const mostShare = 0.8;
/** So many more are taken than most likely do. */
const moreTaken = 1.1;

export function createNearestSlots(codes: CodeMemory, slots: ComparedSlots): NearestSlots {
  const { memory, codeBytes, nearAt } = codes;
  const bitsMax = codeBytes * 8;
  /** Of codes that have nothing to do with each other few differ in so few bits: of 256 one of forty in 112. */
  const closeBits = Math.floor(bitsMax / 2 - Math.sqrt(bitsMax));
  const nearCodes = createNearCodes(memory, codeBytes);
  /** Beside each other, so that they are compared with a query in few calls. */
  const sample = createCodeMemory(codeBytes);
  const nearSampled = createNearCodes(sample.memory, codeBytes);
  const takenAt: TakenEntries[] = []; // by the place of the query

  const sampled = (): number => Math.ceil(slots.count() / sampledEach);

  /** Queries of one filter, of whichever list, have one and the same `mayTake`, which is asked once for all of them. */
  const createMayTakeSampled = () => {
    const known = new Map<WantedSlots['mayTake'], Uint8Array>(); // 0 where it was not asked yet
    return (nth: number, asked: Asked): boolean => {
      let answers = known.get(asked.mayTake);
      if (answers === undefined) {
        answers = new Uint8Array(sampled());
        known.set(asked.mayTake, answers);
      }
      if (answers[nth] === 0) answers[nth] = slots.mayTake(nth * sampledEach, asked) ? 1 : 2;
      return answers[nth] === 1; // none stands behind the last
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
  const guessBounds = (all: readonly Asked[]): Guess[] => {
    if (slots.count() < guessedMin) return all.map(() => ({ bound: bitsMax, takenUnasked: null }));
    const mayTake = createMayTakeSampled();
    const countWithin = (asked: Asked, bound: number, count: (nth: number, bits: number) => void): void => {
      const query = sample.queryAt(asked.place);
      for (let from = 0; from < sampled(); from += stepEntries) {
        const code = sample.codesAt + from * codeBytes;
        const out = sample.nearAt;
        const end = nearSampled({ code, count: Math.min(stepEntries, sampled() - from), query, out, bound });
        for (const found of new Int32Array(sample.memory.buffer, out, (end - out) / 4)) {
          const nth = from + (found & 0xffff);
          if (nth < sampled()) count(nth, found >>> 16); // codes behind the last one are compared, too
        }
      }
    };
    const guessUnasked = (asked: Asked): Guess | null => {
      const countAt = new Int32Array(bitsMax + 1);
      let [asks, mayBeTaken] = [0, 0];
      countWithin(asked, closeBits, (nth, bits) => {
        countAt[bits]! += 1;
        if (nth % askedEach > 0) return;
        asks += 1;
        if (mayTake(nth, asked)) mayBeTaken += 1;
      });
      if (asks < askedMin || mayBeTaken < mostShare * asks) return null;
      const takenUnasked = Math.ceil((moreTaken * asked.entries * asks) / mayBeTaken);
      const bound = boundOf(countAt, takenUnasked / sampledEach);
      return bound < bitsMax ? { bound, takenUnasked } : null;
    };
    const guessWithin = (asked: Asked, bound: number): number => {
      const countAt = new Int32Array(bitsMax + 1);
      countWithin(asked, bound, (nth, bits) => {
        if (mayTake(nth, asked)) countAt[bits]! += 1;
      });
      return boundOf(countAt, asked.entries / sampledEach);
    };
    return all.map((asked) => {
      const unasked = guessUnasked(asked);
      if (unasked !== null) return unasked;
      const guess = guessWithin(asked, closeBits);
      return { bound: guess < bitsMax ? guess : guessWithin(asked, bitsMax), takenUnasked: null };
    });
  };

  const takeFrom = (asked: Asked, from: number, isUnasked: boolean): void => {
    const { place, taken } = asked;
    const code = codes.codesAt + from * codeBytes;
    const count = Math.min(stepEntries, slots.count() - from);
    const end = nearCodes({ code, count, query: codes.queryAt(place), out: nearAt, bound: taken.bound() });
    const near = new Int32Array(memory.buffer, nearAt, (end - nearAt) / 4);
    for (let index = 0; index < near.length; index += 1) {
      const bits = near[index]! >>> 16;
      if (bits > taken.bound()) continue;
      const slot = from + (near[index]! & 0xffff);
      if (isUnasked || slots.mayTake(slot, asked)) taken.take(slot, bits);
    }
  };

  const takeFromAll = (all: readonly Asked[], isUnasked: (asked: Asked) => boolean): void => {
    for (let from = 0; from < slots.count(); from += stepEntries) {
      for (const asked of all) takeFrom(asked, from, isUnasked(asked));
    }
  };

  return {
    put: (slot, code) => {
      codes.write(codes.codesAt + slot * codeBytes, code);
      if (slot % sampledEach > 0) return;
      const nth = slot / sampledEach;
      sample.reserve(nth + codesAtOnce); // what stands behind the last one is compared, too
      sample.write(sample.codesAt + nth * codeBytes, code);
    },
    find: (wanted) => {
      const all = wanted.map((one, place): Asked => {
        for (const each of [codes, sample]) each.write(each.queryAt(place), one.code);
        return { ...one, place, taken: (takenAt[place] ??= createTakenEntries(bitsMax)) };
      });
      const guesses = guessBounds(all);
      const isUnasked = ({ place }: Asked): boolean => guesses[place]!.takenUnasked !== null;
      for (const { place, taken, entries } of all) {
        const { bound, takenUnasked } = guesses[place]!;
        taken.begin(bound, takenUnasked ?? entries);
      }
      takeFromAll(all, isUnasked);
      const found = all.map((asked) => {
        const near = asked.taken.slots();
        return isUnasked(asked) ? near.filter((slot) => slots.mayTake(slot, asked)) : near;
      });
      const guessedTooClose = all.filter(
        ({ place, entries }) => found[place]!.length < entries && guesses[place]!.bound < bitsMax,
      );
      if (guessedTooClose.length === 0) return found;
      for (const { taken, entries } of guessedTooClose) taken.begin(bitsMax, entries);
      takeFromAll(guessedTooClose, () => false);
      for (const { place, taken } of guessedTooClose) found[place] = taken.slots();
      return found;
    },
    bytes: () => takenAt.reduce((sum, taken) => sum + taken.bytes(), sample.memory.buffer.byteLength),
  };
}
