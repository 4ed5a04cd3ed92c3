import type { Encoding } from './accepted-forms.ts';
import { createDoorkeeper } from './doorkeeper.ts';
import { compressedForm, type ReadyAnswer, type SentForm } from './ready-answer.ts';

/** Roughly what an entry takes beside its bytes: the object, its place in two maps, its headers. */
const entryBytes = 2_048;
/** As many ways to write one address are known, the last ones: whoever makes up more of them must not shut out the usual one. */
const addressesMax = 8;
const addressLengthMax = 2_048;
/** From then on whoever goes through all there is would drive out what others ask for, and pay for it. */
const openShare = 1 / 8;

export interface KeptAnswer extends ReadyAnswer {
  readonly key: string;
  readonly addresses: Set<string>;
  readonly twins: Map<Encoding, SentForm>;
  readonly compressing: Set<Encoding>;
  /** Asked for since the last look for one to drive out. */
  isUsed: boolean;
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
  isUsed: false,
});

/** Answers by key and by the addresses that they were asked for under, bounded in bytes. */
export function createKeptAnswers(bytesMax: number) {
  const byKey = new Map<string, KeptAnswer>();
  const byAddress = new Map<string, KeptAnswer>();
  const doorkeeper = createDoorkeeper();
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
    for (const address of kept.addresses) byAddress.delete(address);
  }

  function forgetOldest({ addresses }: KeptAnswer): void {
    const [oldest = ''] = addresses;
    addresses.delete(oldest);
    byAddress.delete(oldest);
    bytes -= 2 * oldest.length;
  }

  /** The oldest that nobody asked for since it was last looked at. */
  function makeRoom(): void {
    for (const kept of byKey.values()) {
      if (bytes <= bytesMax) return;
      if (kept.isUsed) {
        kept.isUsed = false;
        byKey.delete(kept.key);
        byKey.set(kept.key, kept);
        continue;
      }
      remove(kept);
      evictions += 1;
    }
  }

  return {
    ofKey: (key: string): KeptAnswer | undefined => byKey.get(key),
    ofAddress: (address: string): KeptAnswer | undefined => byAddress.get(address),
    /** Whether what is asked for under this address is kept: while there is much room, from the second time on, or again. */
    takesIn: (address: string): boolean =>
      bytes < bytesMax * openShare || byAddress.has(address) || doorkeeper.comesAgain(address),
    put: (kept: KeptAnswer): void => {
      const former = byKey.get(kept.key);
      if (former !== undefined) remove(former);
      if (sizeOf(kept) > bytesMax / 8) return; // one answer shall not drive out all others
      // Whoever writes the same thing in another way finds the new one, too.
      for (const address of former?.addresses ?? []) {
        kept.addresses.add(address);
        byAddress.set(address, kept);
      }
      byKey.set(kept.key, kept);
      bytes += sizeOf(kept);
      makeRoom();
    },
    /** From now on it is found under this address, too. */
    name: (kept: KeptAnswer, address: string): void => {
      if (byKey.get(kept.key) !== kept || kept.addresses.has(address)) return;
      if (address.length > addressLengthMax) return;
      if (kept.addresses.size >= addressesMax) forgetOldest(kept);
      kept.addresses.add(address);
      byAddress.set(address, kept);
      bytes += 2 * address.length;
      makeRoom();
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
        makeRoom();
      }
      return twin;
    },
    /** What is no longer good must not stay in memory until somebody asks for it. */
    sweep: (isGood: (kept: KeptAnswer) => boolean): void => {
      for (const kept of byKey.values()) if (!isGood(kept)) remove(kept);
    },
    counts: () => ({ bytes, entries: byKey.size, evictions }),
  };
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;
