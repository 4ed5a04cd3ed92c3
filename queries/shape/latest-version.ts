import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { releaseCount } from '../../src/catalogue/numbers.ts';
import type { Lane } from '../../src/domain/release/feed/lane.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import type { QueryDeps } from './query-deps.ts';

export interface LatestVersion {
  readonly latestVersion: string | null;
  readonly latestDate: string | null;
}

const none: LatestVersion = { latestVersion: null, latestDate: null };

/** Of the newest stable release in the feed order; of the newest prerelease when there is no other (contract 2.12). */
export const latestVersion = async (
  { models, catalogue }: Pick<QueryDeps, 'models' | 'catalogue'>,
  sourceId: string,
  nowMs: number,
): Promise<LatestVersion> => {
  if (releaseCount([catalogue.instantsOf(sourceId)], nowMs) === 0) return none;
  const newestOf = async (lane: Lane) => {
    const [row] = await models.of(releaseFeedProjection).query({
      index: 'bySource',
      equals: { sourceId, lane },
      direction: 'descending',
      to: dueUntilMs(nowMs),
      limit: 1,
    });
    return row;
  };
  const row = (await newestOf('stable')) ?? (await newestOf('prerelease'));
  if (row === undefined) return none;
  return {
    latestVersion: row.given.version ?? null,
    latestDate: row.publishedMs === null ? null : toTimestamp(row.publishedMs),
  };
};
