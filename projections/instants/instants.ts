import type { CoverageLinked, CoverageUnlinked } from '../../src/domain/release/coverage/events.ts';
import { effectiveDate } from '../../src/domain/release/effective.ts';
import type { ReleaseErased, ReleaseEvent, ReleaseIndexed, ReleaseRevised } from '../../src/domain/release/events.ts';
import { isPrereleaseCode, laneBits, withLaneBit } from '../../src/domain/release/feed/lane.ts';
import { isGivenAfter, revisedPublishedAt } from '../../src/domain/release/revised-date.ts';
import type { SuppressionEvent } from '../../src/domain/release/suppression.ts';
import {
  type Change,
  defineProjection,
  type FoldEntry,
  type Loaded,
  put,
  remove,
} from '../../src/kernel/projection.ts';
import { type Instant, type InstantsDocument, sourceOfInstants, monthOf, placeOf } from './instants-document.ts';

const dateGiven = 1;
const prereleaseGiven = 2;
const importanceGiven = 4;

const msOf = (publishedAt: string | null): number | null => (publishedAt === null ? null : Date.parse(publishedAt));

const givenBits = (date: boolean, prerelease: boolean, importance: boolean): number =>
  (date ? dateGiven : 0) | (prerelease ? prereleaseGiven : 0) | (importance ? importanceGiven : 0);

/** A revision that does not name a given value keeps it. */
const revisedValue = <T>(change: T | null | undefined, kept: T, derived: T): T =>
  change === undefined ? kept : (change ?? derived);

/** In a month where it is not yet: an event is folded once, and a release is indexed once. */
const withInstant = (
  docs: Loaded<InstantsDocument>,
  { sourceId, publishedAt, instant }: { sourceId: string; publishedAt: string | null; instant: Instant },
): Change<InstantsDocument> => {
  const id = placeOf(sourceId, instant[0], publishedAt);
  return put({ id, sourceId, month: monthOf(publishedAt), releases: [...(docs.get(id)?.releases ?? []), instant] });
};

const withoutInstant = (doc: InstantsDocument, releaseId: string): Change<InstantsDocument> => {
  const releases = doc.releases.filter(([id]) => id !== releaseId);
  return releases.length === 0 ? remove(doc.id) : put({ ...doc, releases });
};

/** Where the release is in the document of that place, if it is there at all. */
const findInstant = (docs: Loaded<InstantsDocument>, place: string, releaseId: string) => {
  const doc = docs.get(place);
  const at = doc?.releases.findIndex(([id]) => id === releaseId) ?? -1;
  const known = doc?.releases[at];
  return doc === undefined || known === undefined ? undefined : { doc, at, known };
};

const publishedAtOf = ({ given, derived }: ReleaseIndexed['data']): string | null => effectiveDate(given, derived);

const indexed: FoldEntry<InstantsDocument, ReleaseIndexed> = {
  load: ({ data, stream }) => [placeOf(data.sourceId, stream.id, publishedAtOf(data))],
  fold: (docs, { data, stream }) => {
    const { sourceId, given, derived } = data;
    const publishedAt = publishedAtOf(data);
    const instant: Instant = [
      stream.id,
      msOf(publishedAt),
      withLaneBit(0, laneBits.prerelease, given.prerelease ?? derived.prerelease),
      Date.parse(data.fetchedAt),
      givenBits(given.publishedAt !== undefined, given.prerelease !== undefined, given.importance !== undefined),
      given.importance ?? derived.importance,
      given.version ?? null,
    ];
    return [withInstant(docs, { sourceId, publishedAt, instant })];
  },
};

const revisedInstant = (
  [releaseId, , laneCode, fetchedMs, bits, importance, version]: Instant,
  data: ReleaseRevised['data'],
): { publishedAt: string | null; instant: Instant } => {
  const { given, derived } = data;
  const hadDate = (bits & dateGiven) !== 0;
  const hadPrerelease = (bits & prereleaseGiven) !== 0;
  const hadImportance = (bits & importanceGiven) !== 0;
  const publishedAt = revisedPublishedAt(data, hadDate);
  const keptPrerelease = hadPrerelease ? isPrereleaseCode(laneCode) : derived.prerelease;
  const keptImportance = hadImportance ? importance : derived.importance;
  const instant: Instant = [
    releaseId,
    msOf(publishedAt),
    withLaneBit(laneCode, laneBits.prerelease, revisedValue(given.prerelease, keptPrerelease, derived.prerelease)),
    fetchedMs,
    givenBits(
      isGivenAfter(given.publishedAt, hadDate),
      isGivenAfter(given.prerelease, hadPrerelease),
      isGivenAfter(given.importance, hadImportance),
    ),
    revisedValue(given.importance, keptImportance, derived.importance),
    revisedValue(given.version, version, null), // nothing derives a version
  ];
  return { publishedAt, instant };
};

const sameInstant = (a: Instant, b: Instant): boolean => a.every((value, index) => value === b[index]);

const placesOf = (
  sourceId: string,
  releaseId: string,
  publishedDates: readonly (string | null)[],
): readonly string[] => [...new Set(publishedDates.map((publishedAt) => placeOf(sourceId, releaseId, publishedAt)))];

const revised: FoldEntry<InstantsDocument, ReleaseRevised> = {
  // Where it was, and the two months where it may be now: by a given date, or by the derived one.
  load: ({ data, stream }) => {
    const dates = [data.previousPublishedAt, revisedPublishedAt(data, true), revisedPublishedAt(data, false)];
    return placesOf(data.sourceId, stream.id, dates);
  },
  fold: (docs, { data, stream }) => {
    const { sourceId, previousPublishedAt } = data;
    const found = findInstant(docs, placeOf(sourceId, stream.id, previousPublishedAt), stream.id);
    if (found === undefined) return [];
    const { doc, at, known } = found;
    const { publishedAt, instant } = revisedInstant(known, data);
    if (sameInstant(known, instant)) return [];
    if (monthOf(publishedAt) === doc.month) return [put({ ...doc, releases: doc.releases.with(at, instant) })];
    return [withoutInstant(doc, stream.id), withInstant(docs, { sourceId, publishedAt, instant })];
  },
};

type LaneEvent = SuppressionEvent | CoverageLinked | CoverageUnlinked;

/** It stays where it is, in another lane; its numbers come back with it. */
const relaned = (bit: Parameters<typeof withLaneBit>[1], isSet: boolean): FoldEntry<InstantsDocument, LaneEvent> => ({
  load: ({ data, stream }) => [placeOf(data.sourceId, stream.id, data.publishedAt)],
  fold: (docs, { data, stream }) => {
    const found = findInstant(docs, placeOf(data.sourceId, stream.id, data.publishedAt), stream.id);
    if (found === undefined) return [];
    const { doc, at, known } = found;
    const [releaseId, publishedMs, laneCode, ...others] = known;
    const instant: Instant = [releaseId, publishedMs, withLaneBit(laneCode, bit, isSet), ...others];
    return [put({ ...doc, releases: doc.releases.with(at, instant) })];
  },
});

const erased: FoldEntry<InstantsDocument, ReleaseErased> = {
  // The events that moved it may be gone before this fold has seen them, so it is looked for wherever it ever was.
  load: ({ data, stream }) => placesOf(data.sourceId, stream.id, data.publishedDates),
  fold: (docs, { data, stream }) =>
    placesOf(data.sourceId, stream.id, data.publishedDates).flatMap((place) => {
      const doc = docs.get(place);
      return doc === undefined ? [] : [withoutInstant(doc, stream.id)];
    }),
};

export const instantsProjection = defineProjection<InstantsDocument, ReleaseEvent>({
  name: 'instants',
  generation: 6,
  indexes: {},
  // A release whose date changes moves from one document of its source to another.
  groupOf: sourceOfInstants,
  on: {
    'ReleaseIndexed.v1': indexed,
    'ReleaseRevised.v1': revised,
    'ReleaseSuppressed.v1': relaned(laneBits.suppressed, true),
    'ReleaseUnsuppressed.v1': relaned(laneBits.suppressed, false),
    'CoverageLinked.v1': relaned(laneBits.coverage, true),
    'CoverageUnlinked.v1': relaned(laneBits.coverage, false),
    'ReleaseErased.v1': erased,
  },
});
