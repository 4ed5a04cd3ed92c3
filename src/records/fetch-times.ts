/** When each source was last fetched, in milliseconds; those that never were are left out. */
export interface LastFetches {
  readonly times: ReadonlyMap<string, number>;
  /** When each was last in contact, also in vain. */
  readonly contacts: ReadonlyMap<string, number>;
  /** Of some sources, ascending. Kept for this very list until one of them is fetched, so that many need not be looked up. */
  readonly ascendingOf: (sources: SourceList) => readonly number[];
}

type SourceList = readonly { readonly id: string }[];

interface Kept {
  readonly ascending: readonly number[];
  isStale: boolean;
}

export const createFetchTimes = (known: Iterable<readonly [string, number]> = []) => {
  const times = new Map(known);
  const contacts = new Map(times);
  const keptOf = new WeakMap<SourceList, Kept>();
  /** Where the time of each source was copied to last, also of those that never were fetched. */
  const copiedTo = new Map<string, Kept>();

  const forget = (sourceId: string): void => {
    const kept = copiedTo.get(sourceId);
    if (kept === undefined) return;
    kept.isStale = true;
    copiedTo.delete(sourceId);
  };

  const set = (sourceId: string, ms: number): void => {
    if (times.get(sourceId) === ms) return;
    times.set(sourceId, ms);
    forget(sourceId);
  };

  const copy = (sources: SourceList): Kept => {
    const ascending = sources.flatMap(({ id }) => times.get(id) ?? []).sort((a, b) => a - b);
    const kept = { ascending, isStale: false };
    for (const { id } of sources) {
      forget(id); // another list that has it too would not be told of its next fetch
      copiedTo.set(id, kept);
    }
    return kept;
  };

  const reads: LastFetches = {
    times,
    contacts,
    ascendingOf: (sources) => {
      const before = keptOf.get(sources);
      if (before !== undefined && !before.isStale) return before.ascending;
      const kept = copy(sources);
      keptOf.set(sources, kept);
      return kept.ascending;
    },
  };

  return {
    reads,
    set,
    /** Never back: one that an older version stored tells of no poll. */
    setContact: (sourceId: string, ms: number): void =>
      void contacts.set(sourceId, Math.max(ms, contacts.get(sourceId) ?? ms)),
    /** These are all. */
    replace: (all: ReadonlyMap<string, number>, allContacts: ReadonlyMap<string, number>): void => {
      contacts.clear();
      for (const [sourceId, ms] of allContacts) contacts.set(sourceId, ms);
      for (const sourceId of times.keys()) {
        if (all.has(sourceId)) continue;
        times.delete(sourceId);
        forget(sourceId);
      }
      for (const [sourceId, ms] of all) set(sourceId, ms);
      // Of sources that are in no list any more.
      for (const [sourceId, { isStale }] of copiedTo) if (isStale) copiedTo.delete(sourceId);
    },
  };
};
