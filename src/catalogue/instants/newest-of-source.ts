import { type FeedRuns, hasRun } from '../../domain/release/feed/feed-runs.ts';
import { compareFeedMoments, type FeedMoment } from '../../domain/release/feed/feed-order.ts';
import { countUpTo, type RunInstants, type SourceInstants } from './source-instants.ts';

/** A source, and a moment before which no release of it stands in a feed. */
export interface NewestOfSource extends FeedMoment {
  readonly sourceId: string;
}

/** What of a source a feed shows. */
export interface WantedReleases {
  readonly runs: FeedRuns;
  /** Dated up to a moment, or undated; null = only what is undated. */
  readonly untilMs: number | null;
}

const newestOfRuns = (
  { published, newestFetched, runCodes, undatedRuns }: RunInstants,
  { runs, untilMs }: WantedReleases,
): FeedMoment | undefined => {
  let at = (untilMs === null ? 0 : countUpTo(published, untilMs)) - 1;
  while (at >= 0 && !hasRun(runs, runCodes[at]!)) at -= 1;
  if (at >= 0) return { publishedMs: published[at]!, fetchedMs: newestFetched[at]! };
  if (undatedRuns.size === 0) return undefined;
  let fetchedMs = Number.NEGATIVE_INFINITY;
  for (const [code, newestMs] of undatedRuns) if (hasRun(runs, code)) fetchedMs = Math.max(fetchedMs, newestMs);
  return fetchedMs === Number.NEGATIVE_INFINITY ? undefined : { publishedMs: null, fetchedMs };
};

/** Undefined: there is nothing. */
export const newestOfSource = (
  sourceId: string,
  instants: SourceInstants,
  wanted: WantedReleases,
): NewestOfSource | undefined => {
  const counted = newestOfRuns(instants, wanted);
  const covering = instants.coverage === null ? undefined : newestOfRuns(instants.coverage, wanted);
  const isCoveringNewer = covering && (counted === undefined || compareFeedMoments(covering, counted) < 0);
  const newest = isCoveringNewer ? covering : counted;
  return newest && { sourceId, ...newest };
};
