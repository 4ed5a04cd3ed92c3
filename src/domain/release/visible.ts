import { areParentsLive, type ReleaseParents } from './parents.ts';

/** Clocks differ a little: a date this far ahead has come. */
export const dueAheadMs = 60_000;

/** Whether the date of a release has come; without a date there is nothing to wait for. */
export const isDue = (publishedAt: string | null, now: string): boolean =>
  publishedAt === null || Date.parse(publishedAt) <= Date.parse(now) + dueAheadMs;

/** The product does not matter: a hidden or deleted one only no longer shows on its releases. */
export const areParentsVisible = (parents: ReleaseParents): boolean =>
  areParentsLive(parents) && !parents.source.hidden && !parents.org?.hidden;

export const isReleaseVisible = (publishedAt: string | null, parents: ReleaseParents, now: string): boolean =>
  areParentsVisible(parents) && isDue(publishedAt, now);
