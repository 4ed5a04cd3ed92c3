import { mergeGiven } from '../../src/domain/release/effective.ts';
import type { ReleaseDerived, ReleaseEvent, ReleaseGiven } from '../../src/domain/release/events.ts';
import { defineProjection, one } from '../../src/kernel/projection.ts';
import type { ReleaseIdentity } from '../../src/domain/release/identity.ts';

export interface ReleaseDocument {
  readonly id: string;
  readonly sourceId: string;
  readonly orgId: string | null;
  readonly identity: ReleaseIdentity;
  readonly given: ReleaseGiven;
  readonly derived: ReleaseDerived;
  readonly fetchedAt: string;
  readonly revision: number;
  readonly updatedAt: string;
}

/** All that is known of a release; a long text is named by its hash and lies in the bodies. */
export const releaseDetailProjection = defineProjection<ReleaseDocument, ReleaseEvent>({
  name: 'release-detail',
  generation: 1,
  indexes: {},
  on: {
    'ReleaseIndexed.v1': one((_, { data, stream, metadata }) => ({
      id: stream.id,
      sourceId: data.sourceId,
      orgId: data.orgId,
      identity: data.identity,
      given: data.given,
      derived: data.derived,
      fetchedAt: data.fetchedAt,
      revision: 1,
      updatedAt: metadata.recordedAt,
    })),
    'ReleaseRevised.v1': one(
      (release, { data, metadata }) =>
        release && {
          ...release,
          given: mergeGiven(release.given, data.given),
          derived: data.derived,
          revision: data.revision,
          updatedAt: metadata.recordedAt,
        },
    ),
    'ReleaseErased.v1': one((release) => release && null),
  },
});
