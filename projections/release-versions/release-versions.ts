import type { Breaking } from '../../src/domain/enumerations.ts';
import { effectiveDate, mergeGiven } from '../../src/domain/release/effective.ts';
import type { GivenChanges, ReleaseDerived, ReleaseEvent, ReleaseGiven } from '../../src/domain/release/events.ts';
import { versionPlace } from '../../src/domain/release/version-place.ts';
import { defineProjection, makesOne, one, removesOne } from '../../src/kernel/projection.ts';

type VersionGiven = Pick<ReleaseGiven, 'version' | 'publishedAt' | 'breaking' | 'migrationNotes'>;
type VersionDerived = Pick<ReleaseDerived, 'publishedAt' | 'breaking' | 'migrationNotes'>;

/** Where a release stands among those of its source by version, and its notes; the rest is in its feed row. */
export interface VersionRow {
  readonly id: string;
  readonly sourceId: string;
  /** Neither taken down nor only covering another one: 1, else 0. */
  readonly counted: 0 | 1;
  /** Before the version, in lower case: one source may tell of several packages. */
  readonly name: string;
  /** Null for a release without a version. */
  readonly place: string | null;
  readonly publishedMs: number | null;
  /** As readers see it. */
  readonly breaking: Breaking;
  readonly fetchedMs: number;
  readonly suppressed: boolean;
  readonly covering: boolean;
  readonly given: VersionGiven;
  readonly derived: VersionDerived;
}

// A field that is not there stays away: JSON would drop it, and a store gives back what JSON kept.
const picked = <Part extends object>(from: Part, fields: readonly string[]): Part => {
  const part: Record<string, unknown> = {};
  for (const field of Object.keys(from)) if (fields.includes(field)) part[field] = from[field as keyof Part];
  return part as Part;
};

const kept = ['version', 'publishedAt', 'breaking', 'migrationNotes'];
const givenPart = (given: ReleaseGiven): VersionGiven => picked(given, kept);
const changesPart = (given: GivenChanges): GivenChanges => picked(given, kept);
const derivedPart = (derived: ReleaseDerived): VersionDerived => picked(derived, kept);

const valuesOf = (given: VersionGiven, derived: VersionDerived) => {
  const publishedAt = effectiveDate(given, derived);
  return {
    ...versionPlace(given.version),
    publishedMs: publishedAt === null ? null : Date.parse(publishedAt),
    breaking: given.breaking ?? derived.breaking,
    given,
    derived,
  };
};

const withStanding = (
  row: VersionRow | undefined,
  changed: Partial<Pick<VersionRow, 'suppressed' | 'covering'>>,
): VersionRow | undefined => {
  if (row === undefined) return undefined;
  const next = { ...row, ...changed };
  return { ...next, counted: next.suppressed || next.covering ? 0 : 1 };
};

/**
 * One row for each release, so that those between two versions are a run through an index, however many the source has.
 * It keeps no content, and the notes are what feeds leave out: a range costs what it shows.
 */
export const releaseVersionsProjection = defineProjection<VersionRow, ReleaseEvent>({
  name: 'release-versions',
  generation: 3,
  indexes: {
    byPlace: ['sourceId', 'counted', 'place', 'publishedMs'],
    byName: ['sourceId', 'counted', 'name', 'place', 'publishedMs'],
    byNameAndDate: ['sourceId', 'counted', 'name', 'publishedMs', 'fetchedMs'],
    byVerdict: ['sourceId', 'counted', 'breaking', 'place', 'publishedMs'],
  },
  on: {
    'ReleaseIndexed.v1': makesOne(({ data, stream }) => ({
      id: stream.id,
      sourceId: data.sourceId,
      counted: 1,
      suppressed: false,
      covering: false,
      fetchedMs: Date.parse(data.fetchedAt),
      ...valuesOf(givenPart(data.given), derivedPart(data.derived)),
    })),
    'ReleaseRevised.v1': one((row, { data }) => {
      if (row === undefined) return undefined;
      return { ...row, ...valuesOf(mergeGiven(row.given, changesPart(data.given)), derivedPart(data.derived)) };
    }),
    'ReleaseSuppressed.v1': one((row) => withStanding(row, { suppressed: true })),
    'ReleaseUnsuppressed.v1': one((row) => withStanding(row, { suppressed: false })),
    'CoverageLinked.v1': one((row) => withStanding(row, { covering: true })),
    'CoverageUnlinked.v1': one((row) => withStanding(row, { covering: false })),
    'ReleaseErased.v1': removesOne(),
  },
});
