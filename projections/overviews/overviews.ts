import { type OverviewEvent, type OverviewFields, toldReleaseIds } from '../../src/domain/overview/events.ts';
import { isGenerated } from '../../src/kernel/event.ts';
import { defineProjection, makesOne, one } from '../../src/kernel/projection.ts';

/** By the id of the org or product that it is about. */
export interface OverviewDocument extends OverviewFields {
  readonly id: string;
  readonly updatedAt: string;
  /** Of a generated one: shown only while everybody may see these releases. What somebody wrote is theirs. */
  readonly toldReleaseIds?: readonly string[];
}

export const overviewsProjection = defineProjection<OverviewDocument, OverviewEvent>({
  name: 'overviews',
  generation: 3,
  indexes: {},
  on: {
    'OverviewWritten.v1': makesOne((event) => {
      const { shownReleaseIds: __, ...overview } = event.data;
      const told = isGenerated(event) && { toldReleaseIds: [...toldReleaseIds(event.data)] };
      return { id: event.stream.id, ...overview, ...told };
    }),
    'OverviewRemoved.v1': one((overview) => overview && null),
  },
});
