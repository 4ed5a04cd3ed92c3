import type { FeedEntry } from './feed-entry.ts';

interface Placed {
  readonly entry: FeedEntry;
  readonly key: number;
}

export interface NewestEntries {
  /** Makes the entry only where it may be among the newest. */
  readonly add: (publishedAt: string | null, make: () => FeedEntry) => void;
  readonly list: () => FeedEntry[];
  /** Of those that were added, how many are not in the list. */
  readonly olderCount: () => number;
}

/**
 * The newest of any number of entries, in memory for twice as many as are wanted. One without a date is as new as the one
 * before it; those of one age stay in the order of the feed.
 */
export function createNewestEntries(max: number): NewestEntries {
  let kept: Placed[] = [];
  let added = 0;
  let lastKey = Number.MAX_VALUE;
  /** As many as are wanted are newer than this, or as new and before. */
  let oldestKey = Number.NEGATIVE_INFINITY;
  const cut = () => {
    kept = kept.sort((a, b) => b.key - a.key).slice(0, max);
    if (kept.length === max) oldestKey = kept.at(-1)!.key;
  };
  return {
    add: (publishedAt, make) => {
      added += 1;
      lastKey = publishedAt === null ? lastKey : Date.parse(publishedAt);
      if (lastKey <= oldestKey) return;
      kept.push({ entry: make(), key: lastKey });
      if (kept.length >= 2 * max) cut();
    },
    olderCount: () => Math.max(0, added - max),
    list: () => {
      cut();
      return kept.map(({ entry }) => entry);
    },
  };
}
