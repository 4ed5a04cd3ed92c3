import type { Instant } from '../../projections/instants/instants-document.ts';
import { monthOf } from '../../projections/instants/instants-document.ts';
import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { createInstantsBySource } from '../../src/catalogue/instants-by-source.ts';
import { laneCodes } from '../../src/domain/release/feed/lane.ts';
import { compareFeedOrder } from '../feed/feed-run.ts';
import type { LatestVersion } from '../shape/latest-version.ts';
import { timestampOrNull } from '../shape/timestamps.ts';

/** What numbers are made of (contract 2.12): of each release a few numbers are kept, whatever its row holds. */
export interface PastNumbers {
  readonly instantsOf: Catalogue['instantsOf'];
  readonly latestOf: (sourceId: string) => LatestVersion;
}

/** Of rows that are listed. */
export const createPastNumbers = () => {
  const places = new Map<string, { sourceId: string; month: string; releases: Instant[] }>();
  const newest = { stable: new Map<string, FeedRow>(), prerelease: new Map<string, FeedRow>() };

  const add = (row: FeedRow): void => {
    const { id, sourceId, lane, publishedMs, fetchedMs, importance } = row;
    if (lane === 'suppressed') return;
    const month = monthOf(timestampOrNull(publishedMs));
    const place = `${sourceId}:${month}:`;
    const instant: Instant = [id, publishedMs, laneCodes[lane], fetchedMs, 0, importance, row.given.version ?? null];
    const known = places.get(place);
    if (known === undefined) places.set(place, { sourceId, month, releases: [instant] });
    else known.releases.push(instant);
    if (lane !== 'stable' && lane !== 'prerelease') return;
    const before = newest[lane].get(sourceId);
    if (before === undefined || compareFeedOrder(row, before) < 0) newest[lane].set(sourceId, row);
  };

  return {
    add,
    /** Once all are added. */
    numbers: (): PastNumbers => {
      const instants = createInstantsBySource();
      for (const [id, place] of places) instants.apply({ id, ...place });
      return {
        instantsOf: instants.instantsOf,
        latestOf: (sourceId) => {
          const row = newest.stable.get(sourceId) ?? newest.prerelease.get(sourceId);
          return {
            latestVersion: row?.given.version ?? null,
            latestDate: timestampOrNull(row?.publishedMs ?? null),
          };
        },
      };
    },
  };
};
