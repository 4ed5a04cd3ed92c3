import type { SourceDocument } from '../../projections/source/source.ts';
import { type SourceType, sourceTypes } from '../domain/enumerations.ts';
import { compareFeedMoments } from '../domain/release/feed-order.ts';
import { type NewestOfSource, newestOfSource } from './newest-of-source.ts';
import type { SourceInstants } from './source-instants.ts';
import { createSortedList, type SortedList } from './sorted-list.ts';

/** The sources that everybody sees and that have releases. */
export interface PublicSources {
  readonly count: number;
  /** By the newest that is dated up to a moment, or undated; null = by the undated only. */
  readonly newestFirst: (untilMs: number | null) => Iterable<NewestOfSource>;
}

const byNewest = (a: NewestOfSource, b: NewestOfSource): number =>
  compareFeedMoments(a, b) || (a.sourceId < b.sourceId ? -1 : 1);

/** How many of the first of them are dated after the moment. */
const countAfter = (newestFirst: readonly NewestOfSource[], untilMs: number | null): number => {
  const isAfter = ({ publishedMs }: NewestOfSource): boolean =>
    publishedMs !== null && (untilMs === null || publishedMs > untilMs);
  let low = 0;
  let high = newestFirst.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(newestFirst[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
};

function* mergeLists(
  lists: readonly (readonly NewestOfSource[])[],
  from: readonly number[],
): Generator<NewestOfSource> {
  const at = [...from];
  for (;;) {
    let first = -1;
    for (const [index, list] of lists.entries()) {
      const entry = list[at[index]!];
      if (entry !== undefined && (first < 0 || byNewest(entry, lists[first]![at[first]!]!) < 0)) first = index;
    }
    if (first < 0) return;
    yield lists[first]![at[first]!]!;
    at[first]! += 1;
  }
}

export interface PublicSourcesDeps {
  readonly source: (id: string) => SourceDocument | undefined;
  readonly isPublic: (source: SourceDocument) => boolean;
  readonly instantsOf: (sourceId: string) => SourceInstants;
}

/**
 * Kept by type and by the newest date of all, the future ones included, which no clock changes: as of a moment, only the
 * sources with something later need a closer look.
 */
export const createPublicSources = ({ source: sourceOf, isPublic, instantsOf }: PublicSourcesDeps) => {
  const lists = new Map<SourceType, SortedList<NewestOfSource>>(
    sourceTypes.map((type) => [type, createSortedList(byNewest)]),
  );
  const listed = new Map<string, { readonly newest: NewestOfSource; readonly list: SortedList<NewestOfSource> }>();

  const but = (exclude: readonly SourceType[]): PublicSources => {
    const newestFirst = sourceTypes.filter((type) => !exclude.includes(type)).map((type) => lists.get(type)!.items());
    return {
      count: newestFirst.reduce((sum, { length }) => sum + length, 0),
      newestFirst: (untilMs) => {
        const later = newestFirst.map((list) => countAfter(list, untilMs));
        const looked = newestFirst
          .flatMap((list, index) => list.slice(0, later[index]))
          .flatMap(({ sourceId }) => newestOfSource(sourceId, instantsOf(sourceId), untilMs) ?? [])
          .sort(byNewest);
        return mergeLists([looked, ...newestFirst], [0, ...later]);
      },
    };
  };

  return {
    /** All but those of some types. */
    but,
    /** After the source, its org or its releases changed. */
    place: (sourceId: string) => {
      const before = listed.get(sourceId);
      before?.list.remove(before.newest);
      listed.delete(sourceId);
      const source = sourceOf(sourceId);
      if (source === undefined || !isPublic(source)) return;
      const newest = newestOfSource(sourceId, instantsOf(sourceId), Number.POSITIVE_INFINITY);
      if (newest === undefined) return;
      const list = lists.get(source.type)!;
      list.add(newest);
      listed.set(sourceId, { newest, list });
    },
  };
};
