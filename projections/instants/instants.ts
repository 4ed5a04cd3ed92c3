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

/** When releases of one source in one UTC month appeared; those without a date are a month of their own. */
export interface InstantsDocument {
  readonly id: string;
  readonly sourceId: string;
  /** `YYYY-MM`, or `-` for the undated. */
  readonly month: string;
  /** A list: read back from JSON, an object with these ids as its keys takes four times as long. */
  readonly releases: readonly Instant[];
}

/**
 * A document is read and written whole for each release that comes, so none may grow without an end. A month begins
 * with one document; what finds it full goes to the one for the last character of its id, then to the one for its last
 * two. Ids end evenly in 62 characters, so a month takes 1.5 million releases before any of its documents is longer than
 * the bound, and grows by one in 3,844 from then on. The first one is short, because later ones must be read beside it.
 */
const levels = [
  { idEnd: 0, releasesMax: 64 },
  { idEnd: 1, releasesMax: 384 },
  { idEnd: 2, releasesMax: 384 },
] as const;

const monthOf = (publishedAt: string | null): string => publishedAt?.slice(0, 7) ?? '-';

/** Where a release of this date may be, in the order in which there is looked for room. */
const placesOf = (sourceId: string, releaseId: string, publishedAt: string | null): string[] => {
  const first = `${sourceId}:${monthOf(publishedAt)}`;
  return levels.map(({ idEnd }) => (idEnd === 0 ? first : `${first}:${releaseId.slice(-idEnd)}`));
};

/** What a document's id says: the chunk is what tells it from the others of its source. */
export const instantsPlace = (id: string): { readonly sourceId: string; readonly chunk: string } => {
  const colon = id.indexOf(':');
  return { sourceId: id.slice(0, colon), chunk: id.slice(colon + 1) };
};

const msOf = (publishedAt: string | null): number | null => (publishedAt === null ? null : Date.parse(publishedAt));

const givenBits = (date: boolean, prerelease: boolean): number =>
  (date ? dateGiven : 0) | (prerelease ? prereleaseGiven : 0);

interface Found {
  readonly doc: InstantsDocument;
  readonly at: number;
}

const findInstant = (docs: Loaded<InstantsDocument>, places: readonly string[], releaseId: string): Found | null => {
  for (const place of places) {
    const doc = docs.get(place);
    const at = doc?.releases.findIndex(([id]) => id === releaseId) ?? -1;
    if (doc !== undefined && at >= 0) return { doc, at };
  }
  return null;
};

/** In a month where it is not yet: an event is folded once, and a release is indexed once. */
const withInstant = (
  docs: Loaded<InstantsDocument>,
  { sourceId, publishedAt, instant }: { sourceId: string; publishedAt: string | null; instant: Instant },
): Change<InstantsDocument> => {
  const places = placesOf(sourceId, instant[0], publishedAt);
  const hasRoom = (place: string, level: number) =>
    (docs.get(place)?.releases.length ?? 0) < levels[level]!.releasesMax;
  const id = places.find(hasRoom) ?? places.at(-1)!;
  return put({ id, sourceId, month: monthOf(publishedAt), releases: [...(docs.get(id)?.releases ?? []), instant] });
};

const withoutInstant = (doc: InstantsDocument, releaseId: string): Change<InstantsDocument> => {
  const releases = doc.releases.filter(([id]) => id !== releaseId);
  return releases.length === 0 ? remove(doc.id) : put({ ...doc, releases });
};

const publishedAtOf = ({ given, derived }: ReleaseIndexed['data']): string | null =>
  given.publishedAt ?? derived.publishedAt;

const indexed: FoldEntry<InstantsDocument, ReleaseIndexed> = {
  load: ({ data, stream }) => placesOf(data.sourceId, stream.id, publishedAtOf(data)),
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

const placesOfDates = (
  sourceId: string,
  releaseId: string,
  publishedDates: readonly (string | null)[],
): readonly string[] => {
  const oneOfEachMonth = new Map(publishedDates.map((publishedAt) => [monthOf(publishedAt), publishedAt]));
  return [...oneOfEachMonth.values()].flatMap((publishedAt) => placesOf(sourceId, releaseId, publishedAt));
};

const revised: FoldEntry<InstantsDocument, ReleaseRevised> = {
  // Where it was, and the two months where it may be now: by a given date, or by the derived one.
  load: ({ data, stream }) => {
    const dates = [data.previousPublishedAt, revisedPublishedAt(data, true), revisedPublishedAt(data, false)];
    return placesOfDates(data.sourceId, stream.id, dates);
  },
  fold: (docs, { data, stream }) => {
    const { sourceId, previousPublishedAt } = data;
    const before = findInstant(docs, placesOf(sourceId, stream.id, previousPublishedAt), stream.id);
    if (before === null) return [];
    const known = before.doc.releases[before.at]!;
    const { publishedAt, instant } = revisedInstant(known, data);
    if (sameInstant(known, instant)) return [];
    const { doc, at } = before;
    if (monthOf(publishedAt) === doc.month) return [put({ ...doc, releases: doc.releases.with(at, instant) })];
    return [withoutInstant(doc, stream.id), withInstant(docs, { sourceId, publishedAt, instant })];
  },
};

const erased: FoldEntry<InstantsDocument, ReleaseErased> = {
  // The events that moved it may be gone before this fold has seen them, so it is looked for wherever it ever was.
  load: ({ data, stream }) => placesOfDates(data.sourceId, stream.id, data.publishedDates),
  fold: (docs, { data, stream }) =>
    placesOfDates(data.sourceId, stream.id, data.publishedDates).flatMap((place) => {
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
