import type { SourceDocument } from '../../../projections/source/source.ts';
import type { SourceType } from '../../domain/enumerations.ts';
import { hasRun } from '../../domain/release/feed/feed-runs.ts';
import {
  compareFeedPlaces,
  type NewestOfSource,
  newestOfSource,
  type WantedReleases,
} from '../instants/newest-of-source.ts';
import { createDaysByRun, dayOf, type ReleaseDays } from '../instants/release-days.ts';
import { noInstants, type SourceInstants } from '../instants/source-instants.ts';
import { createWideMap } from '../wide-map.ts';

/** The sources that everybody sees and that have releases. */
export interface PublicSources {
  readonly count: number;
  /** Those that have something of what is wanted, by the newest of it. */
  readonly newestFirst: (wanted: WantedReleases) => Iterable<NewestOfSource>;
}

/** Sources of one type and topic, which is what else they are asked for by. */
export interface SourceGroup<Topic> {
  readonly type: SourceType;
  readonly topic: Topic | null;
}

export interface PublicSourcesDeps<Topic> {
  readonly source: (id: string) => SourceDocument | undefined;
  readonly isPublic: (source: SourceDocument) => boolean;
  /** Of its releases. */
  readonly topicOf: (source: SourceDocument) => Topic | null;
  readonly instantsOf: (sourceId: string) => SourceInstants;
}

const firstNotAfter = (newestFirst: readonly number[], day: number): number => {
  let low = 0;
  let high = newestFirst.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (newestFirst[middle]! > day) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The days of some runs, newest first, each with its sources. */
function* mergeDays(runs: readonly ReleaseDays[], fromDay: number): Generator<readonly [number, Set<string>]> {
  const reading = runs.map(({ days, sourcesOf }) => {
    const list = days();
    return { list, at: firstNotAfter(list, fromDay), sourcesOf };
  });
  for (;;) {
    const day = reading.reduce<number | undefined>((newest, { list, at }) => {
      const next = list[at];
      return next === undefined || (newest !== undefined && newest >= next) ? newest : next;
    }, undefined);
    if (day === undefined) return;
    const sources = new Set<string>();
    for (const run of reading) {
      if (run.list[run.at] !== day) continue;
      for (const sourceId of run.sourcesOf(day)) sources.add(sourceId);
      run.at += 1;
    }
    yield [day, sources];
  }
}

/** By type and category there are 90 of them at the most. */
interface Group<Topic> extends SourceGroup<Topic> {
  readonly days: ReturnType<typeof createDaysByRun>;
  count: number;
}

interface Kept<Topic> {
  readonly group: Group<Topic>;
  readonly instants: SourceInstants;
}

/**
 * Kept by type and topic, by run and by day, so that whoever wants a few of them, as of whatever moment, looks at some days
 * only.
 */
export const createPublicSources = <Topic extends string>({
  source: sourceOf,
  isPublic,
  topicOf,
  instantsOf,
}: PublicSourcesDeps<Topic>) => {
  const groups = new Map<string, Group<Topic>>();
  const kept = createWideMap<Kept<Topic>>();

  const groupOf = (source: SourceDocument): Group<Topic> => {
    const { type } = source;
    const topic = topicOf(source);
    const key = `${type} ${topic ?? ''}`;
    const group = groups.get(key) ?? { type, topic, days: createDaysByRun(), count: 0 };
    groups.set(key, group);
    return group;
  };

  function* newestFirst(chosen: readonly Group<Topic>[], wanted: WantedReleases): Generator<NewestOfSource> {
    const runs = chosen.flatMap(({ days }) =>
      [...days.runs].flatMap(([code, daysOfRun]) => (hasRun(wanted.runs, code) ? [daysOfRun] : [])),
    );
    const found = new Set<string>();
    for (const [day, sources] of mergeDays(runs, dayOf(wanted.from.publishedMs))) {
      const newest = [...sources].flatMap((sourceId) => {
        if (found.has(sourceId)) return [];
        const moment = newestOfSource(sourceId, instantsOf(sourceId), wanted);
        // On the last day it may have something too late, and what is wanted on another.
        return moment !== undefined && dayOf(moment.publishedMs) === day ? [moment] : [];
      });
      for (const { sourceId } of newest) found.add(sourceId);
      yield* newest.sort((a, b) => compareFeedPlaces(a, b) || (a.sourceId < b.sourceId ? -1 : 1));
    }
  }

  const keptOf = (sourceId: string): Kept<Topic> | undefined => {
    const source = sourceOf(sourceId);
    if (source === undefined || !isPublic(source)) return undefined;
    const instants = instantsOf(sourceId);
    const isEmpty = instants.published.length + instants.undatedCount === 0 && instants.coverage === null;
    return isEmpty ? undefined : { group: groupOf(source), instants };
  };

  const those = (isWanted: (group: SourceGroup<Topic>) => boolean): PublicSources => {
    const chosen = [...groups.values()].filter(isWanted);
    return {
      count: chosen.reduce((sum, { count }) => sum + count, 0),
      newestFirst: (wanted) => newestFirst(chosen, wanted),
    };
  };

  return {
    those,
    /** After the source, its product, its org or its releases changed. */
    place: (sourceId: string) => {
      const before = kept.get(sourceId);
      const after = keptOf(sourceId);
      for (const group of new Set([before?.group, after?.group])) {
        if (group === undefined) continue;
        const [was, is] = [before?.group === group, after?.group === group];
        group.days.replace(sourceId, was ? before!.instants : noInstants, is ? after!.instants : noInstants);
        group.count += Number(is) - Number(was);
      }
      if (after === undefined) kept.delete(sourceId);
      else kept.set(sourceId, after);
    },
  };
};
