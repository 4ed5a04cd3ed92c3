import type { DomainEvent } from '../../../kernel/event.ts';

/** Where a fold by date finds the release, without looking elsewhere. */
interface ReleasePlace {
  readonly sourceId: string;
  /** The effective date at that moment. */
  readonly publishedAt: string | null;
}

/** In the canonical's stream: another release is about to be linked to it, so it cannot become coverage-side itself. */
export type CoverageClaimed = DomainEvent<
  'CoverageClaimed.v1',
  {
    coverageId: string;
    /** Claims of one canonical are numbered from 1. */
    claim: number;
    claimedAt: string;
  }
>;

/** In the canonical's stream: this claim is over. */
export type CoverageReleased = DomainEvent<'CoverageReleased.v1', { coverageId: string; claim: number }>;

export type CoverageLinked = DomainEvent<
  'CoverageLinked.v1',
  ReleasePlace & {
    canonicalId: string;
    claim: number;
    reason: string | null;
    decidedBy: string;
    decidedAt: string;
  }
>;

/** Also ends the claims of that canonical up to this one. */
export type CoverageUnlinked = DomainEvent<
  'CoverageUnlinked.v1',
  ReleasePlace & { canonicalId: string; claim: number; unlinkedAt: string }
>;

/** Claims up to this one were given up before a link was made of them: whoever made one finds it lost. */
export type CoverageForfeited = DomainEvent<'CoverageForfeited.v1', { canonicalId: string; claim: number }>;

export type CoverageEvent = CoverageClaimed | CoverageReleased | CoverageLinked | CoverageUnlinked | CoverageForfeited;
