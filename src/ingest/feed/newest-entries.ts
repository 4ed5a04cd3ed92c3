import type { FeedEntry } from './feed-entry.ts';

interface Placed {
  readonly entry: FeedEntry;
  readonly key: number;
}

export interface NewestEntries {
  /** Makes the entry only where it may be among the newest. */
  readonly add: (publishedAt: string | null, make: () => FeedEntry) => void;
  readonly list: () => FeedEntry[];
}

/**
 * The newest of any number of entries, in memory for twice as many as are wanted. One without a date is as new as the one
 * before it; those of one age stay in the order of the feed.
 */
export function createNewestEntries(max: number): NewestEntries {
  let kept: Placed[] = [];
  let lastKey = Number.MAX_VALUE;
  /** As many as are wanted are newer than this, or as new and before. */
  let oldestKey = Number.NEGATIVE_INFINITY;
  const cut = () => {
    kept = kept.sort((a, b) => b.key - a.key).slice(0, max);
    if (kept.length === max) oldestKey = kept.at(-1)!.key;
  };
  return {
    add: (publishedAt, make) => {
      lastKey = publishedAt === null ? lastKey : Date.parse(publishedAt);
      if (lastKey <= oldestKey) return;
      kept.push({ entry: make(), key: lastKey });
      if (kept.length >= 2 * max) cut();
    },
    list: () => {
      cut();
      return kept.map(({ entry }) => entry);
    },
  };
}
