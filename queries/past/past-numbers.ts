import { type Instant, monthOf } from '../../projections/instants/instants-document.ts';
import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { createInstantsBySource } from '../../src/catalogue/instants/instants-by-source.ts';
import { laneCodes } from '../../src/domain/release/feed/lane.ts';
import { timestampOrNull } from '../shape/timestamps.ts';

const releasesAtOnce = 256;

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
    /** Once all are added. Every few hundred releases it pauses, so that others have their turn. */
    instantsOf: async (pause: () => Promise<void>): Promise<Catalogue['instantsOf']> => {
      const instants = createInstantsBySource();
      const releasesOf = new Map<string, number>();
      let untilPause = releasesAtOnce;
      const done = async (releases: number): Promise<void> => {
        untilPause -= releases;
        if (untilPause > 0) return;
        untilPause = releasesAtOnce;
        await pause();
      };
      for (const [id, place] of places) {
        instants.apply({ id, ...place });
        releasesOf.set(place.sourceId, (releasesOf.get(place.sourceId) ?? 0) + place.releases.length);
        await done(place.releases.length);
      }
      // Joined here, source by source: whoever asks for all of them in one go finds them so.
      for (const [sourceId, releases] of releasesOf) {
        instants.instantsOf(sourceId);
        await done(releases);
      }
      return instants.instantsOf;
    },
  };
};
