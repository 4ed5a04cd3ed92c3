import { effectiveDate } from '../../src/domain/release/effective.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { isGivenAfter, revisedPublishedAt } from '../../src/domain/release/revised-date.ts';
import { defineProjection, makesOne, one, removesOne } from '../../src/kernel/projection.ts';

/** A release whose date lay ahead when it was stored. */
export interface PendingRow {
  readonly id: string;
  readonly sourceId: string;
  readonly publishedMs: number | null;
  /** A revision names only what it changed: this tells whether the date was a given one. */
  readonly dateGiven: boolean;
}

const msOf = (publishedAt: string | null): number | null => (publishedAt === null ? null : Date.parse(publishedAt));

/** What the scheduler must still call due, earliest first. */
export const pendingProjection = defineProjection<PendingRow, ReleaseEvent>({
  name: 'pending',
  generation: 1,
  indexes: { byDue: ['publishedMs'] },
  on: {
    'ReleaseIndexed.v1': makesOne(({ data, stream }) =>
      data.pending
        ? {
            id: stream.id,
            sourceId: data.sourceId,
            publishedMs: msOf(effectiveDate(data.given, data.derived)),
            dateGiven: data.given.publishedAt !== undefined,
          }
        : undefined,
    ),
    'ReleaseRevised.v1': one((row, { data, stream }) => {
      if (!data.pending) return row && null;
      const wasGiven = row?.dateGiven ?? false;
      return {
        id: stream.id,
        sourceId: data.sourceId,
        publishedMs: msOf(revisedPublishedAt(data, wasGiven)),
        dateGiven: isGivenAfter(data.given.publishedAt, wasGiven),
      };
    }),
    'ReleaseDated.v1': one((row) => row && null),
    'ReleaseErased.v1': removesOne(),
  },
});
