import type {
  CoverageClaimed,
  CoverageForfeited,
  CoverageLinked,
  CoverageReleased,
  CoverageUnlinked,
} from '../../../src/domain/release/coverage/events.ts';
import type {
  GivenChanges,
  ReleaseDerived,
  ReleaseErased,
  ReleaseGiven,
  ReleaseIndexed,
  ReleaseRevised,
} from '../../../src/domain/release/events.ts';
import type { ReleaseSuppressed, ReleaseUnsuppressed } from '../../../src/domain/release/suppression.ts';

export const noDerived: ReleaseDerived = {
  publishedAt: null,
  type: 'feature',
  prerelease: false,
  breaking: 'unknown',
  migrationNotes: null,
  importance: null,
  composition: null,
  summary: '',
  contentChars: null,
  contentTokens: null,
  contentHash: null,
};

type Indexed = ReleaseIndexed['data'];

/** Release events with plain values, for folds: what is derived is said, not computed. */
export const indexed = (
  sourceId: string,
  given: Partial<ReleaseGiven> = {},
  {
    derived,
    ...others
  }: Partial<Omit<Indexed, 'given' | 'derived' | 'sourceId'>> & { derived?: Partial<ReleaseDerived> } = {},
): ReleaseIndexed => ({
  type: 'ReleaseIndexed.v1',
  data: {
    sourceId,
    orgId: null,
    identity: { kind: 'title', value: 'x\n-' },
    given: { title: 'A release', content: '', ...given },
    derived: { ...noDerived, ...derived },
    fetchedAt: '2026-02-20T08:00:00.000Z',
    pending: false,
    announcement: 'none',
    ...others,
  },
});

export const revised = (
  sourceId: string,
  given: GivenChanges,
  {
    derived,
    ...others
  }: Partial<Omit<ReleaseRevised['data'], 'given' | 'derived' | 'sourceId'>> & {
    derived?: Partial<ReleaseDerived>;
  } = {},
): ReleaseRevised => ({
  type: 'ReleaseRevised.v1',
  data: {
    sourceId,
    orgId: null,
    revision: 2,
    given,
    derived: { ...noDerived, ...derived },
    pending: false,
    previousPublishedAt: null,
    ...others,
  },
});

export const erased = (sourceId: string, data: Partial<ReleaseErased['data']> = {}): ReleaseErased => ({
  type: 'ReleaseErased.v1',
  data: { sourceId, orgId: null, identityKind: 'title', publishedDates: [null], bodyStreams: [], ...data },
});

const decidedAt = '2026-02-21T08:00:00.000Z';

export const suppressed = (sourceId: string, publishedAt: string | null, reason: string | null = null) =>
  ({
    type: 'ReleaseSuppressed.v1',
    data: { sourceId, publishedAt, reason, suppressedAt: decidedAt },
  }) satisfies ReleaseSuppressed;

export const unsuppressed = (sourceId: string, publishedAt: string | null) =>
  ({
    type: 'ReleaseUnsuppressed.v1',
    data: { sourceId, publishedAt, reason: null, unsuppressedAt: decidedAt },
  }) satisfies ReleaseUnsuppressed;

export const linked = (sourceId: string, publishedAt: string | null, canonicalId: string, claim = 1) =>
  ({
    type: 'CoverageLinked.v1',
    data: { sourceId, publishedAt, canonicalId, claim, reason: null, decidedBy: 'human:test', decidedAt },
  }) satisfies CoverageLinked;

export const unlinked = (sourceId: string, publishedAt: string | null, canonicalId: string, claim = 1) =>
  ({
    type: 'CoverageUnlinked.v1',
    data: { sourceId, publishedAt, canonicalId, claim, unlinkedAt: decidedAt },
  }) satisfies CoverageUnlinked;

export const claimed = (coverageId: string, claim = 1, claimedAt = decidedAt) =>
  ({ type: 'CoverageClaimed.v1', data: { coverageId, claim, claimedAt } }) satisfies CoverageClaimed;

export const released = (coverageId: string, claim = 1) =>
  ({ type: 'CoverageReleased.v1', data: { coverageId, claim } }) satisfies CoverageReleased;

export const forfeited = (canonicalId: string, claim = 1) =>
  ({ type: 'CoverageForfeited.v1', data: { canonicalId, claim } }) satisfies CoverageForfeited;
