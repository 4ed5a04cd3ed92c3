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
  /** What is sent before the bytes, once it was made. */
  readonly heads: Map<number, string>;
}

export const keepable = (key: string, answer: ReadyAnswer): KeptAnswer => ({
  ...answer,
  key,
  addresses: new Set(),
  twins: new Map(),
  compressing: new Set(),
  heads: new Map(),
  uses: 0,
});

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
  /** Goes round through all. */
  let hand = byKey.values();
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
    if (candidate === kept) candidate = null;
    for (const address of kept.addresses) byAddress.delete(address);
  }

  function forgetOldest({ addresses }: KeptAnswer): void {
    const [oldest = ''] = addresses;
    addresses.delete(oldest);
    byAddress.delete(oldest);
    bytes -= 2 * oldest.length;
  }

  function lookedAtNext(): KeptAnswer | undefined {
    const { value, done } = hand.next();
    if (done !== true) return value;
    hand = byKey.values();
    return hand.next().value;
  }

  /** How much an answer is missed that is driven out: one that is old, not at all. */
  const worthOf = (kept: KeptAnswer): number => (holds(kept) ? kept.uses : -1);

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

  /** The newest stays as long as there is another: whoever asks for it next has just begun to. */
  function makeRoom(newest: KeptAnswer): void {
    while (bytes > bytesMax) {
      const { kept, worth } = leastMissed(newest) ?? { kept: newest, worth: newest.uses };
      remove(kept);
      if (worth >= 0) evictions += 1; // else its time was over
    }
  }

  /** Whether there is a place for what was asked for so often lately. */
  function hasPlace(asks: number): boolean {
    if (bytes < bytesMax * openShare) return true;
    if (asks < 2) return false; // most of these are not asked for again
    if (bytes < bytesMax * fullShare) return true;
    const least = leastMissed(null);
    return least !== null && asks > least.worth;
  }

  return {
    ofKey: (key: string): KeptAnswer | undefined => byKey.get(key),
    ofAddress: (address: string): KeptAnswer | undefined => byAddress.get(address),
    /** Whether what is asked for under this address is kept; the question is counted. */
    takesIn: (address: string): boolean => {
      const asks = asked.note(address);
      return byAddress.has(address) || hasPlace(asks);
    },
    /** The address is that of the first who asked; null where he has made it up. */
    put: (kept: KeptAnswer, address: string | null): void => {
      const former = byKey.get(kept.key);
      if (former !== undefined) remove(former);
      if (sizeOf(kept) > bytesMax / 8) return; // one answer shall not drive out all others
      // Whoever writes the same thing in another way finds the new one, too.
      for (const known of former?.addresses ?? []) {
        kept.addresses.add(known);
        byAddress.set(known, kept);
      }
      kept.uses = Math.max(former?.uses ?? 0, address === null ? 0 : asked.of(address));
      byKey.set(kept.key, kept);
      bytes += sizeOf(kept);
      makeRoom(kept);
    },
    /** From now on it is found under this address, too. */
    name: (kept: KeptAnswer, address: string): void => {
      if (byKey.get(kept.key) !== kept || kept.addresses.has(address)) return;
      if (address.length > addressLengthMax) return;
      if (kept.addresses.size >= addressesMax) forgetOldest(kept);
      kept.addresses.add(address);
      byAddress.set(address, kept);
      bytes += 2 * address.length;
      makeRoom(kept);
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
        makeRoom(kept);
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
