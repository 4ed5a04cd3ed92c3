import type { SourceEvent, SourceFields } from '../../src/domain/source/events.ts';
import { nameKeyOf } from '../../src/domain/name-key.ts';
import { defineProjection, one } from '../../src/kernel/projection.ts';

export interface SourceDocument extends SourceFields {
  readonly id: string;
  readonly nameKey: string;
  readonly orgId: string | null;
  readonly createdAt: string;
  /** Position of the event that asked for it to be the primary source; null when it does not ask. */
  readonly primarySince: number | null;
  readonly hidden: boolean;
  readonly deletedAt: string | null;
}

const primarySinceAfter = (before: number | null, asked: boolean | undefined, position: number): number | null => {
  if (asked === undefined) return before;
  return asked ? position : null;
};

/** Every source that ever was: a deleted one keeps its document until it is purged. */
export const sourceProjection = defineProjection<SourceDocument, SourceEvent>({
  name: 'source',
  generation: 2,
  indexes: { byOrg: ['orgId'] },
  on: {
    'SourceCreated.v1': one((_, { data, stream, position }) => ({
      id: stream.id,
      nameKey: nameKeyOf(data.name),
      ...data,
      primarySince: primarySinceAfter(null, data.isPrimary, position),
      hidden: false,
      deletedAt: null,
    })),
    'SourceChanged.v1': one((source, { data: { changed }, position }) => {
      if (source === undefined) return undefined;
      const next = { ...source, ...changed };
      return {
        ...next,
        nameKey: nameKeyOf(next.name),
        primarySince: primarySinceAfter(source.primarySince, changed.isPrimary, position),
      };
    }),
    'SourceHidden.v1': one((source) => source && { ...source, hidden: true }),
    'SourceUnhidden.v1': one((source) => source && { ...source, hidden: false }),
    'SourceDeleted.v1': one((source, { data }) => source && { ...source, deletedAt: data.deletedAt }),
    'SourceRestored.v1': one((source) => source && { ...source, deletedAt: null }),
    'SourcePurged.v1': one((source) => source && null),
  },
});
