import { type Instant, monthOf } from '../../projections/instants/instants-document.ts';
import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { createInstantsBySource } from '../../src/catalogue/instants-by-source.ts';
import { laneCodes } from '../../src/domain/release/feed/lane.ts';
import { timestampOrNull } from '../shape/timestamps.ts';

/** What numbers are made of (contract 2.12), of rows that are listed: of each release little is kept, whatever its row holds. */
export const createPastNumbers = () => {
  const places = new Map<string, { sourceId: string; month: string; releases: Instant[] }>();

  const add = ({ id, sourceId, lane, publishedMs, fetchedMs, importance, given }: FeedRow): void => {
    if (lane === 'suppressed') return;
    const month = monthOf(timestampOrNull(publishedMs));
    const place = `${sourceId}:${month}:`;
    const instant: Instant = [id, publishedMs, laneCodes[lane], fetchedMs, 0, importance, given.version ?? null];
    const known = places.get(place);
    if (known === undefined) places.set(place, { sourceId, month, releases: [instant] });
    else known.releases.push(instant);
  };

  return {
    add,
    /** Once all are added. */
    instantsOf: (): Catalogue['instantsOf'] => {
      const instants = createInstantsBySource();
      for (const [id, place] of places) instants.apply({ id, ...place });
      return instants.instantsOf;
    },
  };
};
