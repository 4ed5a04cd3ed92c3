import type { OverviewEvent, OverviewFields } from '../../src/domain/overview/events.ts';
import { defineProjection, one } from '../../src/kernel/projection.ts';

/** By the id of the org or product that it is about. */
export interface OverviewDocument extends OverviewFields {
  readonly id: string;
  readonly updatedAt: string;
}

export const overviewsProjection = defineProjection<OverviewDocument, OverviewEvent>({
  name: 'overviews',
  generation: 2,
  indexes: {},
  on: {
    'OverviewWritten.v1': one((_, { data, stream }) => {
      const { shownReleaseIds: __, ...overview } = data;
      return { id: stream.id, ...overview };
    }),
    'OverviewRemoved.v1': one((overview) => overview && null),
  },
});
