import type { CoverageEvent } from '../../domain/release/coverage/events.ts';
import type { SuppressionEvent } from '../../domain/release/suppression.ts';
import { releaseId, sourceId } from '../../kernel/ids.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { count, timestamp } from './values.ts';

const place = { sourceId, publishedAt: timestamp.nullable() };
const canonicalClaim = { canonicalId: releaseId, claim: count };
const coverageClaim = { coverageId: releaseId, claim: count };

// Why somebody decided so, and who it was, are words of theirs.
export const releaseDecisionPublications: PublicationsOf<SuppressionEvent | CoverageEvent> = {
  'ReleaseSuppressed.v1': publish({ ...place, suppressedAt: timestamp }, ({ sourceId, publishedAt, suppressedAt }) => ({
    sourceId,
    publishedAt,
    suppressedAt,
  })),
  'ReleaseUnsuppressed.v1': publish(
    { ...place, unsuppressedAt: timestamp },
    ({ sourceId, publishedAt, unsuppressedAt }) => ({ sourceId, publishedAt, unsuppressedAt }),
  ),
  'CoverageClaimed.v1': publish({ ...coverageClaim, claimedAt: timestamp }, ({ coverageId, claim, claimedAt }) => ({
    coverageId,
    claim,
    claimedAt,
  })),
  'CoverageReleased.v1': publish(coverageClaim, ({ coverageId, claim }) => ({ coverageId, claim })),
  'CoverageLinked.v1': publish(
    { ...place, ...canonicalClaim, decidedAt: timestamp },
    ({ sourceId, publishedAt, canonicalId, claim, decidedAt }) => ({
      sourceId,
      publishedAt,
      canonicalId,
      claim,
      decidedAt,
    }),
  ),
  'CoverageUnlinked.v1': publish(
    { ...place, ...canonicalClaim, unlinkedAt: timestamp },
    ({ sourceId, publishedAt, canonicalId, claim, unlinkedAt }) => ({
      sourceId,
      publishedAt,
      canonicalId,
      claim,
      unlinkedAt,
    }),
  ),
  'CoverageForfeited.v1': publish(canonicalClaim, ({ canonicalId, claim }) => ({ canonicalId, claim })),
};
