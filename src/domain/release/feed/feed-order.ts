/** Where something stands in a feed, as far as time tells. */
export interface FeedMoment {
  readonly publishedMs: number | null;
  readonly fetchedMs: number;
}

/** Dated before undated, newest first, then by when it was indexed (contract 2.4). */
export const compareFeedMoments = (a: FeedMoment, b: FeedMoment): number => {
  if (a.publishedMs === b.publishedMs) return b.fetchedMs - a.fetchedMs;
  if (a.publishedMs === null) return 1;
  return b.publishedMs === null ? -1 : b.publishedMs - a.publishedMs;
};
