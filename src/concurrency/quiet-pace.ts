/**
 * How long to wait before the next look at something that others change without a word: often while it moves, seldom once it
 * has been quiet for a while.
 */
export const quietPaceMs = (quietMs: number, shortestMs: number, longestMs: number): number =>
  Math.min(longestMs, Math.max(shortestMs, quietMs / 8));
