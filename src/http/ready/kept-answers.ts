import type { Encoding } from './accepted-forms.ts';
import { countMax, createAskedCounts } from './asked-counts.ts';
import { compressedForm, type ReadyAnswer, type SentForm } from './ready-answer.ts';

/** Roughly what an entry takes beside its bytes: the object, its place in two maps, its headers. */
const entryBytes = 2_048;
/** As many ways to write one address are known, the last ones: whoever makes up more of them must not shut out the usual one. */
const addressesMax = 8;
const addressLengthMax = 2_048;
/** While less is taken, what is asked for once is kept, too: who asks again soon finds it ready. */
const openShare = 1 / 2;
/** From then on a newcomer takes the place of another. */
const fullShare = 7 / 8;
/** So many are looked at in turn for the one that is missed least. */
const comparedMax = 8;

export interface KeptAnswer extends ReadyAnswer {
  readonly key: string;
  readonly addresses: Set<string>;
  readonly twins: Map<Encoding, SentForm>;
  readonly compressing: Set<Encoding>;
  /** How often it was asked for lately. */
  uses: number;
  /** Where it stands among all. */
  place: number;
  /** No other takes its place while it is good. Only few may be: all others share what these leave. */
  readonly isPromised: boolean;
  /** What is sent before the bytes, once it was made. */
  readonly heads: Map<number, string>;
}

/**
 * The same in objects of its own. V8 learns by the place in the code which objects stay, and makes all later ones of that place
 * where only a whole collection frees them: an answer that is sent once must not share its places with those that are kept.
 */
export const keepable = (key: string, answer: ReadyAnswer, isPromised = false): KeptAnswer => ({
  status: answer.status,
  headers: { ...answer.headers },
  plain: { etag: answer.plain.etag, bytes: answer.plain.bytes },
  lastModified: answer.lastModified,
  routeNumber: answer.routeNumber,
  goodFor: {
    places: answer.goodFor.places,
    stamp: answer.goodFor.stamp,
    epoch: answer.goodFor.epoch,
    madeMs: answer.goodFor.madeMs,
    untilMs: answer.goodFor.untilMs,
  },
  key,
  addresses: new Set(),
  twins: new Map(),
  compressing: new Set(),
  heads: new Map(),
  uses: 0,
  place: 0,
  isPromised,
});

export const wasMadeToKeep = (answer: ReadyAnswer): answer is KeptAnswer => 'twins' in answer;

/**
 * Answers by key and by the addresses that they were asked for under, bounded in bytes. Whoever goes through all addresses asks
 * for each of them once: where there is no room, an answer is kept only in the place of one that is asked for less, so that
 * such a walk neither drives out what others ask for nor pays for keeping what nobody asks for again.
 */
export function createKeptAnswers(bytesMax: number, holds: (kept: KeptAnswer) => boolean) {
  const byKey = new Map<string, KeptAnswer>();
  const byAddress = new Map<string, KeptAnswer>();
  const asked = createAskedCounts(() => {
    for (const kept of byKey.values()) kept.uses = Math.min(kept.uses, countMax) >> 1;
  });
  const all: KeptAnswer[] = [];
  let candidate: KeptAnswer | null = null;
  let bytes = 0;
  let evictions = 0;

  const sizeOf = ({ key, plain, twins, addresses }: KeptAnswer): number => {
    let size = entryBytes + plain.bytes.length + 2 * key.length;
    for (const twin of twins.values()) size += twin.bytes.length;
    for (const address of addresses) size += 2 * address.length;
    return size;
  };

  function remove(kept: KeptAnswer): void {
    if (byKey.get(kept.key) !== kept) return;
    bytes -= sizeOf(kept);
    byKey.delete(kept.key);
    const last = all.pop()!;
    if (last !== kept) {
      last.place = kept.place;
      all[kept.place] = last;
    }
    if (candidate === kept) candidate = null;
    for (const address of kept.addresses) byAddress.delete(address);
  }

  function add(kept: KeptAnswer): void {
    byKey.set(kept.key, kept);
    kept.place = all.push(kept) - 1;
    for (const address of kept.addresses) byAddress.set(address, kept);
    bytes += sizeOf(kept);
  }

  function forgetOldest({ addresses }: KeptAnswer): void {
    const [oldest = ''] = addresses;
    addresses.delete(oldest);
    byAddress.delete(oldest);
    bytes -= 2 * oldest.length;
  }

  /** Goes round through all. A number: an iterator that waits for the next turn holds all tables that its map has outgrown. */
  let hand = 0;

  function lookedAtNext(): KeptAnswer | undefined {
    if (hand >= all.length) hand = 0;
    hand += 1;
    return all[hand - 1];
  }

  /** How much an answer is missed that is driven out: one that is old, not at all. Of two that are, the one that is used less goes. */
  const worthOf = (kept: KeptAnswer): number =>
    holds(kept) ? (kept.isPromised ? Number.POSITIVE_INFINITY : kept.uses) : -1;

  /**
   * As much as a newcomer needs to be asked for more. Its questions are counted up to a bound, and uses are not: without this one, whatever
   * is asked for most would stay out once all have been used that often.
   */
  const defended = (worth: number): number =>
    worth === Number.POSITIVE_INFINITY ? worth : Math.min(worth, countMax - 1);

  /** Of the next ones in turn and of the least that was found before. */
  function leastMissed(except: KeptAnswer | null): { readonly kept: KeptAnswer; readonly worth: number } | null {
    let least = candidate === except ? null : candidate;
    let worth = least === null ? Number.POSITIVE_INFINITY : worthOf(least);
    for (let number = 0; number < comparedMax; number += 1) {
      const kept = lookedAtNext();
      if (kept === undefined || kept === except) continue;
      const its = worthOf(kept);
      if (its >= worth) continue;
      least = kept;
      worth = its;
    }
    candidate = least;
    return least === null ? null : { kept: least, worth };
  }

  function driveOut(kept: KeptAnswer): void {
    if (holds(kept)) evictions += 1; // else its time was over
    remove(kept);
  }

  /** A large one needs the room of many: where it is not worth them all, none of them goes. */
  function makeRoomForNew(newcomer: KeptAnswer): void {
    const gone: KeptAnswer[] = [];
    while (bytes > bytesMax) {
      const least = leastMissed(newcomer);
      if (least === null || defended(least.worth) >= worthOf(newcomer)) {
        remove(newcomer);
        for (const kept of gone.filter(holds)) add(kept);
        return;
      }
      remove(least.kept);
      gone.push(least.kept);
    }
    for (const kept of gone.filter(holds)) {
      // It is to be asked for as often once more: else those that are all asked for as often as can be counted would drive each other out.
      asked.forget(kept.key);
      evictions += 1; // of the others the time was over
    }
  }

  /** One that is kept and has grown stays before its equals: else it would go as soon as its compressed form is made. */
  function makeRoomForGrown(grown: KeptAnswer): void {
    while (bytes > bytesMax) {
      const least = leastMissed(grown);
      if (least === null || least.worth > worthOf(grown)) return driveOut(grown);
      driveOut(least.kept);
    }
  }

  /** It is found under this address from now on. */
  function addAddress(kept: KeptAnswer, address: string): void {
    if (kept.addresses.has(address) || address.length > addressLengthMax) return;
    if (kept.addresses.size >= addressesMax) forgetOldest(kept);
    kept.addresses.add(address);
    byAddress.set(address, kept);
    bytes += 2 * address.length;
  }

  /** Whether there is a place for what was asked for so often lately. */
  function hasPlace(asks: number): boolean {
    if (bytes < bytesMax * openShare) return true;
    if (asks < 2) return false; // most of these are not asked for again
    if (bytes < bytesMax * fullShare) return true;
    const least = leastMissed(null);
    return least !== null && asks > defended(least.worth);
  }

  return {
    ofKey: (key: string): KeptAnswer | undefined => byKey.get(key),
    ofAddress: (address: string): KeptAnswer | undefined => byAddress.get(address),
    /** Whether what is asked for is kept; the question is counted. */
    takesIn: (key: string): boolean => {
      const asks = asked.note(key);
      return byKey.has(key) || hasPlace(asks);
    },
    /**
     * The address is that of the first who asked; null where he has made it up. It is not kept where what would have to go
     * for it is asked for as much.
     */
    put: (kept: KeptAnswer, address: string | null): void => {
      const former = byKey.get(kept.key);
      if (former !== undefined) remove(former);
      if (sizeOf(kept) > bytesMax / 8) return; // one answer shall not drive out all others
      // Whoever writes the same thing in another way finds the new one, too.
      for (const known of former?.addresses ?? []) kept.addresses.add(known);
      kept.uses = Math.max(former?.uses ?? 0, asked.of(kept.key));
      add(kept);
      if (address !== null) addAddress(kept, address);
      makeRoomForNew(kept);
    },
    /** From now on it is found under this address, too, if it is kept. */
    name: (kept: KeptAnswer, addressOf: () => string | null): void => {
      if (byKey.get(kept.key) !== kept) return;
      const address = addressOf();
      if (address === null) return;
      addAddress(kept, address);
      makeRoomForGrown(kept);
    },
    /** Makes the compressed form, unless somebody does already. */
    compress: async (kept: KeptAnswer, encoding: Encoding): Promise<SentForm | null> => {
      const known = kept.twins.get(encoding);
      if (known !== undefined) return known;
      if (kept.compressing.has(encoding)) return null;
      kept.compressing.add(encoding);
      const twin = await compressedForm(kept.plain, encoding).finally(() => kept.compressing.delete(encoding));
      kept.twins.set(encoding, twin);
      if (byKey.get(kept.key) === kept) {
        bytes += twin.bytes.length;
        makeRoomForGrown(kept);
      }
      return twin;
    },
    /** What is no longer good must not stay in memory until somebody asks for it. */
    sweep: (): void => {
      for (const kept of byKey.values()) if (!holds(kept)) remove(kept);
    },
    counts: () => ({ bytes, entries: byKey.size, evictions }),
  };
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;
