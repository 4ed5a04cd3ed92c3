/** `given` says which of the values were given ones: a revision names only what it changed. */
export type Instant = readonly [
  releaseId: string,
  publishedMs: number | null,
  laneCode: number,
  fetchedMs: number,
  given: number,
  importance: number | null,
  version: string | null,
];

/** When some releases of one source in one UTC month appeared; those without a date are a month of their own. */
export interface InstantsDocument {
  readonly id: string;
  readonly sourceId: string;
  /** `YYYY-MM`, or `undatedMonth`. */
  readonly month: string;
  /** A list: read back from JSON, an object with these ids as its keys takes four times as long. */
  readonly releases: readonly Instant[];
}

export const undatedMonth = '-';

export const monthOf = (publishedAt: string | null): string => publishedAt?.slice(0, 7) ?? undatedMonth;

/**
 * A document is read and written whole for each release that comes, so a month is spread over many by the end of the
 * ids, which are even in 62 characters: over 3,844, so that 100,000 releases of one month are 26 in each. Where a release
 * lies follows from itself alone, and so is the same after a rebuild, whatever was erased meanwhile: a document that was
 * divided when it is full would not be.
 */
const idEndOf = (releaseId: string): string => releaseId.slice(-2);

export const placeOf = (sourceId: string, releaseId: string, publishedAt: string | null): string =>
  `${sourceId}:${monthOf(publishedAt)}:${idEndOf(releaseId)}`;

/** Of the document with this id. */
export const sourceOfInstants = (id: string): string => id.slice(0, id.indexOf(':'));

/** What a document's id says: the chunk is what tells it from the others of its source and month. */
export const instantsPlace = (id: string) => {
  const sourceEnd = id.indexOf(':');
  const monthEnd = id.indexOf(':', sourceEnd + 1);
  return { sourceId: id.slice(0, sourceEnd), month: id.slice(sourceEnd + 1, monthEnd), chunk: id.slice(monthEnd + 1) };
};
