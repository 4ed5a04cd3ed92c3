import type { ReleaseErased, ReleaseEvent, ReleaseIndexed, ReleaseRevised } from '../../src/domain/release/events.ts';
import { isCoverageCode, isPrereleaseCode, laneCodeOf } from '../../src/domain/release/lane.ts';
import { isGivenAfter, revisedPublishedAt } from '../../src/domain/release/revised-date.ts';
import { type Change, defineProjection, type FoldEntry, put, remove } from '../../src/kernel/projection.ts';

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

/** When the releases of one source in one UTC month appeared; those without a date share a document. */
export interface InstantsDocument {
  readonly id: string;
  readonly sourceId: string;
  /** `YYYY-MM`, or `-` for the undated. */
  readonly month: string;
  /** A list: read back from JSON, an object with these ids as its keys takes four times as long. */
  readonly releases: readonly Instant[];
}

const monthOf = (publishedAt: string | null): string => publishedAt?.slice(0, 7) ?? '-';

const instantsId = (sourceId: string, publishedAt: string | null): string => `${sourceId}:${monthOf(publishedAt)}`;

/** What a document's id says. */
export const instantsPlace = (id: string): Pick<InstantsDocument, 'sourceId' | 'month'> => {
  const colon = id.indexOf(':');
  return { sourceId: id.slice(0, colon), month: id.slice(colon + 1) };
};

const msOf = (publishedAt: string | null): number | null => (publishedAt === null ? null : Date.parse(publishedAt));

const givenBits = (date: boolean, prerelease: boolean): number =>
  (date ? dateGiven : 0) | (prerelease ? prereleaseGiven : 0);

const findInstant = (doc: InstantsDocument | undefined, releaseId: string): Instant | undefined =>
  doc?.releases.find(([id]) => id === releaseId);

const withInstant = (
  doc: InstantsDocument | undefined,
  sourceId: string,
  publishedAt: string | null,
  instant: Instant,
): Change<InstantsDocument> => {
  const releases = doc?.releases ?? [];
  const at = releases.findIndex(([id]) => id === instant[0]);
  return put({
    id: instantsId(sourceId, publishedAt),
    sourceId,
    month: monthOf(publishedAt),
    releases: at < 0 ? [...releases, instant] : releases.with(at, instant),
  });
};

const withoutInstant = (doc: InstantsDocument, releaseId: string): Change<InstantsDocument> => {
  const releases = doc.releases.filter(([id]) => id !== releaseId);
  return releases.length === 0 ? remove(doc.id) : put({ ...doc, releases });
};

const publishedAtOf = ({ given, derived }: ReleaseIndexed['data']): string | null =>
  given.publishedAt ?? derived.publishedAt;

const indexed: FoldEntry<InstantsDocument, ReleaseIndexed> = {
  load: ({ data }) => [instantsId(data.sourceId, publishedAtOf(data))],
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
    const doc = docs.get(instantsId(sourceId, publishedAt));
    return [withInstant(doc, sourceId, publishedAt, instant)];
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

const revised: FoldEntry<InstantsDocument, ReleaseRevised> = {
  // Where it was, and the two places where it may be now: by a given date, or by the derived one.
  load: ({ data }) => {
    const places = [data.previousPublishedAt, revisedPublishedAt(data, true), revisedPublishedAt(data, false)];
    return [...new Set(places.map((publishedAt) => instantsId(data.sourceId, publishedAt)))];
  },
  fold: (docs, { data, stream }) => {
    const before = docs.get(instantsId(data.sourceId, data.previousPublishedAt));
    const known = findInstant(before, stream.id);
    if (before === undefined || known === undefined) return [];
    const { publishedAt, instant } = revisedInstant(known, data);
    if (sameInstant(known, instant)) return [];
    const place = docs.get(instantsId(data.sourceId, publishedAt));
    const arrival = withInstant(place, data.sourceId, publishedAt, instant);
    const stays = before.id === instantsId(data.sourceId, publishedAt);
    return stays ? [arrival] : [withoutInstant(before, stream.id), arrival];
  },
};

const placesOf = ({ sourceId, publishedDates }: ReleaseErased['data']): string[] => [
  ...new Set(publishedDates.map((publishedAt) => instantsId(sourceId, publishedAt))),
];

const erased: FoldEntry<InstantsDocument, ReleaseErased> = {
  // The events that moved it may be gone before this fold has seen them, so it is looked for wherever it ever was.
  load: ({ data }) => placesOf(data),
  fold: (docs, { data, stream }) =>
    placesOf(data).flatMap((place) => {
      const doc = docs.get(place);
      return doc === undefined ? [] : [withoutInstant(doc, stream.id)];
    }),
};

export const instantsProjection = defineProjection<InstantsDocument, ReleaseEvent>({
  name: 'instants',
  generation: 1,
  indexes: {},
  on: { 'ReleaseIndexed.v1': indexed, 'ReleaseRevised.v1': revised, 'ReleaseErased.v1': erased },
});
