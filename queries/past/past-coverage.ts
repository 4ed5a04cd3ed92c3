import { releaseFeedProjection, type FeedRow } from '../../projections/release-feed/release-feed.ts';
import { isSourceVisible, publicSight } from '../../src/catalogue/visibility.ts';
import type { PastDeps } from './past-deps.ts';
import { createPastEntities } from './past-entities.ts';
import { isListed, type PastMoment, rowsAt } from './past-rows.ts';

type Covered = Pick<FeedRow, 'id' | 'claims'>;

/** How many releases covered each of these at a moment, of those that everybody saw then and sees today. */
export const coverageCountsAt = async (
  deps: Pick<PastDeps, 'streams' | 'models' | 'catalogue'>,
  releases: readonly Covered[],
  { atMs, nowMs }: PastMoment,
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  const claimed = new Set(releases.flatMap(({ claims }) => claims.map(({ coverageId }) => coverageId)));
  if (claimed.size === 0) return counts;
  const today = (await deps.models.of(releaseFeedProjection).get([...claimed])).filter((row) => isListed(row, nowMs));
  const then = (await rowsAt(deps, today, atMs)).filter((row) => isListed(row, atMs));
  const past = createPastEntities(deps, { atMs, sight: publicSight });
  await past.loadSources(then.map(({ sourceId }) => sourceId));
  await past.loadOrgs(then.flatMap(({ orgId }) => orgId ?? []));
  for (const { sourceId, coverageOf } of then) {
    const source = past.reads.source(sourceId);
    if (coverageOf === null || source === undefined || !isSourceVisible(past.reads, source)) continue;
    counts.set(coverageOf, (counts.get(coverageOf) ?? 0) + 1);
  }
  return counts;
};
