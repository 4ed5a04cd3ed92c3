import { idStartOf } from '../../src/catalogue/instants/id-order.ts';
import { newestReleases } from '../../src/catalogue/instants/known-releases.ts';
import type { SourceInstants } from '../../src/catalogue/instants/source-instants.ts';
import { type FeedRuns, hasRun } from '../../src/domain/release/feed/feed-runs.ts';
import type { FeedPosition } from './feed-run.ts';

/** What of a source a feed shows. */
export interface WantedOfSource {
  readonly instants: SourceInstants;
  readonly runs: FeedRuns;
  /** Dated up to a moment, or not at all. */
  readonly untilMs: number;
}

/** The place after so many releases, which the catalogue knows in the order of the feed; null before the first. */
export const placeAfter = ({ instants, runs, untilMs }: WantedOfSource, count: number): FeedPosition | null => {
  if (count === 0) return null;
  let passed = 0;
  for (const { publishedMs, fetchedMs, runCode, idOrder } of newestReleases(instants, untilMs)) {
    if (!hasRun(runs, runCode)) continue;
    passed += 1;
    if (passed === count) return [publishedMs, fetchedMs, idStartOf(idOrder)];
  }
  throw new RangeError(`${count} releases are more than there are`);
};
