import { releaseFeedProjection, type FeedRow } from '../../../projections/release-feed/release-feed.ts';
import { areParentsVisible, isDueMs } from '../../../src/domain/release/visible.ts';
import type { QueryDeps } from '../query-deps.ts';

type Covered = Pick<FeedRow, 'id' | 'claims'>;

/** How many releases that everybody sees cover each of these; those that nothing covers are left out. */
export const coverageCounts = async (
  { models, catalogue }: Pick<QueryDeps, 'models' | 'catalogue'>,
  releases: readonly Covered[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  if (releases.every(({ claims }) => claims.length === 0)) return counts; // as good as always: so it costs nothing then
  const claimed = new Set(releases.flatMap(({ claims }) => claims.map(({ coverageId }) => coverageId)));
  const isVisible = ({ sourceId, publishedMs, suppressed }: FeedRow): boolean => {
    const source = catalogue.source(sourceId);
    if (source === undefined) return false;
    const org = source.orgId === null ? undefined : catalogue.org(source.orgId);
    return !suppressed && areParentsVisible({ source, org }) && isDueMs(publishedMs, nowMs);
  };
  for (const row of await models.of(releaseFeedProjection).get([...claimed])) {
    const { coverageOf } = row;
    if (coverageOf !== null && isVisible(row)) counts.set(coverageOf, (counts.get(coverageOf) ?? 0) + 1);
  }
  return counts;
};
