import type { NaiveRelease, NaiveSource } from './naive-registry.ts';
import { inFeedOrder, isPrerelease, type NaiveView, publishedMsOf, visibleReleasesOf } from './naive-view.ts';

export interface NaiveFeedFilters {
  readonly includePrereleases: boolean;
  readonly includeCoverage: boolean;
  readonly sinceMs?: number | null;
  readonly untilMs?: number | null;
  readonly minImportance?: number | null;
}

/** All releases of a feed over these sources, newest first. Both ends of a window are inclusive. */
export const naiveFeed = (
  view: NaiveView,
  sources: readonly NaiveSource[],
  { includePrereleases, includeCoverage, sinceMs = null, untilMs = null, minImportance = null }: NaiveFeedFilters,
): NaiveRelease[] =>
  inFeedOrder(
    visibleReleasesOf(view, sources).filter((release) => {
      const publishedMs = publishedMsOf(release);
      const importance = release.given.importance ?? release.derived.importance;
      return (
        (includePrereleases || !isPrerelease(release)) &&
        (includeCoverage || release.coverageOf === null) &&
        (sinceMs === null || (publishedMs !== null && publishedMs >= sinceMs)) &&
        (untilMs === null || (publishedMs !== null && publishedMs <= untilMs)) &&
        (minImportance === null || (importance !== null && importance >= minImportance))
      );
    }),
  );
