import { type CoverageClaim, claimsWithout } from '../../src/domain/release/coverage/state.ts';
import { effectiveRelease, mergeGiven } from '../../src/domain/release/effective.ts';
import type { GivenChanges, ReleaseDerived, ReleaseEvent, ReleaseGiven } from '../../src/domain/release/events.ts';
import { laneOf, type RowLane } from '../../src/domain/release/feed/lane.ts';
import type { RecordedEvent } from '../../src/kernel/event.ts';
import { defineProjection, makesOne, one, removesOne } from '../../src/kernel/projection.ts';

export type FeedGiven = Omit<ReleaseGiven, 'content' | 'migrationNotes'>;
export type FeedDerived = Omit<ReleaseDerived, 'contentHash' | 'migrationNotes'>;

/** What lists of releases show: everything but the long texts. */
export interface FeedRow {
  readonly id: string;
  readonly sourceId: string;
  readonly orgId: string | null;
  readonly lane: RowLane;
  readonly publishedMs: number | null;
  readonly fetchedMs: number;
  /** When the last event of it was recorded: at any later moment the row was what it is now. */
  readonly changedMs: number;
  /** 1 to 5; null without a score. */
  readonly importance: number | null;
  readonly suppressed: boolean;
  /** The canonical that it covers. */
  readonly coverageOf: string | null;
  /** Of those that may cover it: each one's own row tells whether it does. */
  readonly claims: readonly Pick<CoverageClaim, 'coverageId' | 'claim'>[];
  readonly given: FeedGiven;
  readonly derived: FeedDerived;
}

const givenCard = ({ content: _content, migrationNotes: _notes, ...card }: ReleaseGiven): FeedGiven => card;
const changesCard = ({ content: _content, migrationNotes: _notes, ...card }: GivenChanges): GivenChanges => card;
const derivedCard = ({ contentHash: _hash, migrationNotes: _notes, ...card }: ReleaseDerived): FeedDerived => card;

type UntimedRow = Omit<FeedRow, 'changedMs'>;
type Standing = Pick<FeedRow, 'suppressed' | 'coverageOf'>;

const newcomer: Standing = { suppressed: false, coverageOf: null };

const placeOf = (
  given: FeedGiven,
  derived: ReleaseDerived,
  standing: Standing,
): Pick<FeedRow, 'lane' | 'publishedMs' | 'importance'> => {
  const { prerelease, publishedAt, importance } = effectiveRelease(given, derived);
  return {
    lane: laneOf({ prerelease, ...standing }),
    publishedMs: publishedAt === null ? null : Date.parse(publishedAt),
    importance,
  };
};

/** The row in the lane of where it stands now. */
const withStanding = (row: FeedRow | undefined, changed: Partial<Standing>): FeedRow | undefined => {
  if (row === undefined) return undefined;
  const { suppressed, coverageOf } = { ...row, ...changed };
  const prerelease = row.given.prerelease ?? row.derived.prerelease;
  return { ...row, suppressed, coverageOf, lane: laneOf({ prerelease, suppressed, coverageOf }) };
};

const changedMsOf = ({ metadata }: Pick<RecordedEvent, 'metadata'>): number => Date.parse(metadata.recordedAt);

/** The row after an event, and when that was. */
const changing = <E extends ReleaseEvent>(
  fold: (row: FeedRow | undefined, event: RecordedEvent<E>) => UntimedRow | null | undefined,
) =>
  one<FeedRow, E>((row, event) => {
    const next = fold(row, event);
    return next && { ...next, changedMs: changedMsOf(event) };
  });

/**
 * One row for each release, also for one whose date lies ahead: a read bounds its run by the clock. Nulls sort lowest,
 * so a descending run is the feed order of contract 2.4. Whether a row is shown follows from its source, which the
 * reader knows. What is at least so important is a few runs, one for each score, and never a search.
 */
export const releaseFeedProjection = defineProjection<FeedRow, ReleaseEvent>({
  name: 'release-feed',
  generation: 4,
  indexes: {
    global: ['lane', 'publishedMs', 'fetchedMs'],
    byOrg: ['orgId', 'lane', 'publishedMs', 'fetchedMs'],
    bySource: ['sourceId', 'lane', 'publishedMs', 'fetchedMs'],
    globalByImportance: ['importance', 'lane', 'publishedMs', 'fetchedMs'],
    byOrgAndImportance: ['orgId', 'importance', 'lane', 'publishedMs', 'fetchedMs'],
    bySourceAndImportance: ['sourceId', 'importance', 'lane', 'publishedMs', 'fetchedMs'],
    // Of fields that never change: whoever goes through all releases of an org misses none that changes meanwhile.
    byOrgAsIndexed: ['orgId', 'fetchedMs'],
  },
  on: {
    'ReleaseIndexed.v1': makesOne((event) => {
      const { data, stream } = event;
      const given = givenCard(data.given);
      return {
        id: stream.id,
        sourceId: data.sourceId,
        orgId: data.orgId,
        ...placeOf(given, data.derived, newcomer),
        fetchedMs: Date.parse(data.fetchedAt),
        ...newcomer,
        claims: [],
        given,
        derived: derivedCard(data.derived),
        changedMs: changedMsOf(event),
      };
    }),
    'ReleaseRevised.v1': changing((row, { data }) => {
      if (row === undefined) return undefined;
      const given = mergeGiven(row.given, changesCard(data.given));
      return { ...row, ...placeOf(given, data.derived, row), given, derived: derivedCard(data.derived) };
    }),
    'ReleaseSuppressed.v1': changing((row) => withStanding(row, { suppressed: true })),
    'ReleaseUnsuppressed.v1': changing((row) => withStanding(row, { suppressed: false })),
    'CoverageLinked.v1': changing((row, { data }) => withStanding(row, { coverageOf: data.canonicalId })),
    'CoverageUnlinked.v1': changing((row) => withStanding(row, { coverageOf: null })),
    'CoverageClaimed.v1': changing(
      (row, { data: { coverageId, claim } }) => row && { ...row, claims: [...row.claims, { coverageId, claim }] },
    ),
    'CoverageReleased.v1': changing((row, { data }) => row && { ...row, claims: claimsWithout(row.claims, data) }),
    'ReleaseErased.v1': removesOne(),
  },
});
