import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import { newestDated } from '../../src/catalogue/dated-releases.ts';
import { idStartOf } from '../../src/catalogue/id-order.ts';
import type { SourceInstants } from '../../src/catalogue/source-instants.ts';
import { type FeedRuns, hasRun } from '../../src/domain/release/feed/feed-runs.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import type { ReadModel } from '../../src/ports/read-models.ts';
import { feedPage } from './feed-page.ts';
import type { FeedPosition } from './feed-run.ts';
import type { FeedRequest } from './feed-scope.ts';

/** Rows that are stepped over in one go: more would only fill the memory. */
const steppedRowsMax = 256;

/** Before the first release without a date. */
const undatedStart: FeedPosition = [null, Number.MAX_SAFE_INTEGER, ''];

/** Of one source, as of a moment. */
export interface WantedOfSource {
  readonly instants: SourceInstants;
  readonly runs: FeedRuns;
  readonly nowMs: number;
}

/** How many releases of a source a feed shows. */
export const countOfFeed = ({ instants, runs, nowMs }: WantedOfSource): number => {
  let count = 0;
  for (const { runCode } of newestDated(instants, dueUntilMs(nowMs))) if (hasRun(runs, runCode)) count += 1;
  for (const [runCode, undated] of instants.undatedCounts) if (hasRun(runs, runCode)) count += undated;
  return count;
};

/** The place after so many releases, and how many of them are undated: those the catalogue has in no order. */
export const placeAfter = (
  { instants, runs, nowMs }: WantedOfSource,
  count: number,
): { readonly after: FeedPosition | null; readonly undatedBefore: number } => {
  if (count === 0) return { after: null, undatedBefore: 0 };
  let passed = 0;
  for (const { publishedMs, fetchedMs, runCode, idOrder } of newestDated(instants, dueUntilMs(nowMs))) {
    if (!hasRun(runs, runCode)) continue;
    passed += 1;
    if (passed === count) return { after: [publishedMs, fetchedMs, idStartOf(idOrder)], undatedBefore: 0 };
  }
  return { after: undatedStart, undatedBefore: count - passed };
};

/** The place so many rows further on; undefined when there are not so many. */
export const stepOver = async (
  feed: ReadModel<FeedRow>,
  request: FeedRequest,
  rows: number,
): Promise<FeedPosition | null | undefined> => {
  let { after } = request;
  for (let left = rows; left > 0; left -= steppedRowsMax) {
    const { next } = await feedPage(feed, { ...request, after, limit: Math.min(left, steppedRowsMax) });
    if (next === null) return undefined;
    after = next;
  }
  return after;
};
