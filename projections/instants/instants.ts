import type { ReleaseErased, ReleaseEvent, ReleaseIndexed, ReleaseRevised } from '../../src/domain/release/events.ts';
import { isCoverageCode, isPrereleaseCode, laneCodeOf } from '../../src/domain/release/lane.ts';
import { isGivenAfter, revisedPublishedAt } from '../../src/domain/release/revised-date.ts';
import {
  type Change,
  defineProjection,
  type FoldEntry,
  type Loaded,
  put,
  remove,
} from '../../src/kernel/projection.ts';

/** `given` says which of the values were given ones: a revision names only what it changed. */
export type Instant = readonly [
  releaseId: string,
  publishedMs: number | null,
  laneCode: number,
  fetchedMs: number,
  given: number,
];

const dateGiven = 1;
const prereleaseGiven = 2;

/** When some releases of one source in one UTC month appeared; those without a date are a month of their own. */
export interface InstantsDocument {
  readonly id: string;
  readonly sourceId: string;
  /** `YYYY-MM`, or `-` for the undated. */
  readonly month: string;
  /** A list: read back from JSON, an object with these ids as its keys takes four times as long. */
  readonly releases: readonly Instant[];
}

const monthOf = (publishedAt: string | null): string => publishedAt?.slice(0, 7) ?? '-';

/**
 * A document is read and written whole for each release that comes, so a month is spread over many by the end of the
 * ids, which are even in 62 characters: 62 documents for a month, 3,844 for the undated, of which there is no end. Where
 * a release lies follows from itself alone, and so is the same after a rebuild, whatever was erased meanwhile.
 */
const idEndOf = (releaseId: string, publishedAt: string | null): string =>
  releaseId.slice(publishedAt === null ? -2 : -1);

const placeOf = (sourceId: string, releaseId: string, publishedAt: string | null): string =>
  `${sourceId}:${monthOf(publishedAt)}:${idEndOf(releaseId, publishedAt)}`;

/** What a document's id says: the chunk is what tells it from the others of its source and month. */
export const instantsPlace = (id: string) => {
  const [sourceId = '', month = '', chunk = ''] = id.split(':');
  return { sourceId, month, chunk };
};

const msOf = (publishedAt: string | null): number | null => (publishedAt === null ? null : Date.parse(publishedAt));

const givenBits = (date: boolean, prerelease: boolean): number =>
  (date ? dateGiven : 0) | (prerelease ? prereleaseGiven : 0);

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

const publishedAtOf = ({ given, derived }: ReleaseIndexed['data']): string | null =>
  given.publishedAt ?? derived.publishedAt;

const indexed: FoldEntry<InstantsDocument, ReleaseIndexed> = {
  load: ({ data, stream }) => [placeOf(data.sourceId, stream.id, publishedAtOf(data))],
  fold: (docs, { data, stream }) => {
    const { sourceId, given, derived } = data;
    const publishedAt = publishedAtOf(data);
    const instant: Instant = [
      stream.id,
      msOf(publishedAt),
      laneCodeOf(given.prerelease ?? derived.prerelease, false),
      Date.parse(data.fetchedAt),
      givenBits(given.publishedAt !== undefined, given.prerelease !== undefined),
    ];
    return [withInstant(docs, { sourceId, publishedAt, instant })];
  },
};

const revisedInstant = (
  [releaseId, , laneCode, fetchedMs, bits]: Instant,
  data: ReleaseRevised['data'],
): { publishedAt: string | null; instant: Instant } => {
  const { given, derived } = data;
  const hadDate = (bits & dateGiven) !== 0;
  const hadPrerelease = (bits & prereleaseGiven) !== 0;
  const publishedAt = revisedPublishedAt(data, hadDate);
  const keptPrerelease = hadPrerelease ? isPrereleaseCode(laneCode) : derived.prerelease;
  const prerelease = given.prerelease === undefined ? keptPrerelease : (given.prerelease ?? derived.prerelease);
  const nextBits = givenBits(isGivenAfter(given.publishedAt, hadDate), isGivenAfter(given.prerelease, hadPrerelease));
  return {
    publishedAt,
    instant: [releaseId, msOf(publishedAt), laneCodeOf(prerelease, isCoverageCode(laneCode)), fetchedMs, nextBits],
  };
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
    const doc = docs.get(placeOf(sourceId, stream.id, previousPublishedAt));
    const at = doc?.releases.findIndex(([id]) => id === stream.id) ?? -1;
    const known = doc?.releases[at];
    if (doc === undefined || known === undefined) return [];
    const { publishedAt, instant } = revisedInstant(known, data);
    if (sameInstant(known, instant)) return [];
    if (monthOf(publishedAt) === doc.month) return [put({ ...doc, releases: doc.releases.with(at, instant) })];
    return [withoutInstant(doc, stream.id), withInstant(docs, { sourceId, publishedAt, instant })];
  },
};

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
  generation: 2,
  indexes: {},
  on: { 'ReleaseIndexed.v1': indexed, 'ReleaseRevised.v1': revised, 'ReleaseErased.v1': erased },
});
