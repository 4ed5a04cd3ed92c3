import type { FeedEntry } from './feed-entry.ts';

interface Placed {
  readonly entry: FeedEntry;
  readonly key: number;
}

export interface NewestEntries {
  readonly add: (entry: FeedEntry) => void;
  readonly list: () => FeedEntry[];
}

/**
 * The newest of any number of entries, in memory for twice as many as are wanted. One without a date is as new as the one
 * before it; those of one age stay in the order of the feed.
 */
export function createNewestEntries(max: number): NewestEntries {
  let kept: Placed[] = [];
  let lastKey = Number.MAX_VALUE;
  const cut = () => {
    kept = kept.sort((a, b) => b.key - a.key).slice(0, max);
  };
  return {
    add: (entry) => {
      lastKey = entry.publishedAt === null ? lastKey : Date.parse(entry.publishedAt);
      kept.push({ entry, key: lastKey });
      if (kept.length >= 2 * max) cut();
    },
    list: () => {
      cut();
      return kept.map(({ entry }) => entry);
    },
  };
}
