import type { NaiveRelease, NaiveSource } from './naive-registry.ts';
import { inFeedOrder, isPrerelease, type NaiveView, publishedMsOf, releasesOf } from './naive-view.ts';

export interface NaiveFeedFilters {
  readonly includePrereleases: boolean;
  readonly sinceMs?: number | null;
  readonly untilMs?: number | null;
  readonly minImportance?: number | null;
}

/** All releases of a feed over these sources, newest first. Both ends of a window are inclusive. */
export const naiveFeed = (
  view: NaiveView,
  sources: readonly NaiveSource[],
  { includePrereleases, sinceMs = null, untilMs = null, minImportance = null }: NaiveFeedFilters,
): NaiveRelease[] =>
  inFeedOrder(
    releasesOf(view, sources).filter((release) => {
      const publishedMs = publishedMsOf(release);
      const importance = release.given.importance ?? release.derived.importance;
      return (
        (includePrereleases || !isPrerelease(release)) &&
        (sinceMs === null || (publishedMs !== null && publishedMs >= sinceMs)) &&
        (untilMs === null || (publishedMs !== null && publishedMs <= untilMs)) &&
        (minImportance === null || (importance !== null && importance >= minImportance))
      );
    }),
  );
