import type {
  GivenChanges,
  ReleaseDerived,
  ReleaseErased,
  ReleaseGiven,
  ReleaseIndexed,
  ReleaseRevised,
} from '../../../src/domain/release/events.ts';

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
