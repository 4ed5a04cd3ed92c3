import { type CoverageClaim, claimsWithout } from '../../src/domain/release/coverage/state.ts';
import { mergeGiven } from '../../src/domain/release/effective.ts';
import type { ReleaseDerived, ReleaseEvent, ReleaseGiven } from '../../src/domain/release/events.ts';
import { defineProjection, makesOne, one, removesOne } from '../../src/kernel/projection.ts';
import type { ReleaseIdentity } from '../../src/domain/release/identity.ts';
import type { Suppression } from '../../src/domain/release/suppression.ts';

/** That a release covers another one, and why. */
export interface CoverageDecision {
  readonly canonicalId: string;
  readonly reason: string | null;
  readonly decidedBy: string;
  readonly decidedAt: string;
}

export interface ReleaseDocument {
  readonly id: string;
  readonly sourceId: string;
  readonly orgId: string | null;
  readonly identity: ReleaseIdentity;
  readonly given: ReleaseGiven;
  readonly derived: ReleaseDerived;
  readonly fetchedAt: string;
  readonly revision: number;
  readonly suppression: Suppression | null;
  readonly coverage: CoverageDecision | null;
  /** Of those that may cover it: each one's own document tells whether it does. */
  readonly claims: readonly Pick<CoverageClaim, 'coverageId' | 'claim'>[];
  readonly updatedAt: string;
}

/** All that is known of a release; a long text is named by its hash and lies in the bodies. */
export const releaseDetailProjection = defineProjection<ReleaseDocument, ReleaseEvent>({
  name: 'release-detail',
  generation: 2,
  indexes: {},
  on: {
    'ReleaseIndexed.v1': makesOne(({ data, stream, metadata }) => ({
      id: stream.id,
      sourceId: data.sourceId,
      orgId: data.orgId,
      identity: data.identity,
      given: data.given,
      derived: data.derived,
      fetchedAt: data.fetchedAt,
      revision: 1,
      suppression: null,
      coverage: null,
      claims: [],
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
    'ReleaseSuppressed.v1': one((release, { data }) => release && { ...release, suppression: { reason: data.reason } }),
    'ReleaseUnsuppressed.v1': one((release) => release && { ...release, suppression: null }),
    'CoverageLinked.v1': one((release, { data: { canonicalId, reason, decidedBy, decidedAt } }) => {
      return release && { ...release, coverage: { canonicalId, reason, decidedBy, decidedAt } };
    }),
    'CoverageUnlinked.v1': one((release) => release && { ...release, coverage: null }),
    'CoverageClaimed.v1': one((release, { data: { coverageId, claim } }) => {
      return release && { ...release, claims: [...release.claims, { coverageId, claim }] };
    }),
    'CoverageReleased.v1': one(
      (release, { data }) => release && { ...release, claims: claimsWithout(release.claims, data) },
    ),
    'ReleaseErased.v1': removesOne(),
  },
});
