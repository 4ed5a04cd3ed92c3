import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { type DatedRelease, newestDated } from '../../src/catalogue/dated-releases.ts';
import type { SourceInstants } from '../../src/catalogue/source-instants.ts';
import { isCoverageRun, isPrereleaseRun } from '../../src/domain/release/feed/feed-runs.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import type { QueryDeps } from './query-deps.ts';

export interface LatestVersion {
  readonly latestVersion: string | null;
  readonly latestDate: string | null;
}

const none: LatestVersion = { latestVersion: null, latestDate: null };

type CountedLane = 'stable' | 'prerelease';

const laneOf = (runCode: number): CountedLane => (isPrereleaseRun(runCode) ? 'prerelease' : 'stable');

/** The newest dated release of each lane. */
const newestByLane = (instants: SourceInstants, nowMs: number): Partial<Record<CountedLane, DatedRelease>> => {
  let prerelease: DatedRelease | undefined;
  for (const release of newestDated(instants, dueUntilMs(nowMs))) {
    if (isCoverageRun(release.runCode)) continue;
    if (!isPrereleaseRun(release.runCode)) return { stable: release };
    prerelease ??= release;
  }
  return prerelease === undefined ? {} : { prerelease };
};

/** Of the newest stable release in the feed order; of the newest prerelease when there is no other (contract 2.12). */
export const latestVersion = async (
  { models, catalogue }: Pick<QueryDeps, 'models' | 'catalogue'>,
  sourceId: string,
  nowMs: number,
): Promise<LatestVersion> => {
  const instants = catalogue.instantsOf(sourceId);
  const dated = newestByLane(instants, nowMs);
  const undated = new Set(Array.from(instants.undatedRuns.keys(), laneOf));
  for (const lane of ['stable', 'prerelease'] as const) {
    const release = dated[lane];
    if (release !== undefined) {
      return { latestVersion: release.version, latestDate: toTimestamp(release.publishedMs) };
    }
    if (!undated.has(lane)) continue;
    // What has no date comes after all that have one, and is only counted in the catalogue.
    const [row] = await models.of(releaseFeedProjection).query({
      index: 'bySource',
      equals: { sourceId, lane },
      direction: 'descending',
      to: dueUntilMs(nowMs),
      limit: 1,
    });
    if (row === undefined) continue;
    const latestDate = row.publishedMs === null ? null : toTimestamp(row.publishedMs);
    return { latestVersion: row.given.version ?? null, latestDate };
  }
  return none;
};
