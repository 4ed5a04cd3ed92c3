import { createSortedList } from '../lists/sorted-list.ts';
import { countUpTo, noInstants, type RunInstants, type SourceInstants } from './source-instants.ts';
import { dayMs } from '../../kernel/dates.ts';

/** The undated come after all days. */
const undatedDay = Number.NEGATIVE_INFINITY;

export const dayOf = (publishedMs: number | null): number =>
  publishedMs === null ? undatedDay : Math.floor(publishedMs / dayMs);

/** The sources that have releases of one run, by the UTC days of these. */
export interface ReleaseDays {
  /** Newest first. */
  readonly days: () => readonly number[];
  readonly sourcesOf: (day: number) => Iterable<string>;
}

const createReleaseDays = () => {
  const sourcesByDay = new Map<number, Set<string>>();
  const days = createSortedList<number>((a, b) => b - a);
  return {
    add: (day: number, sourceId: string) => {
      const known = sourcesByDay.get(day);
      if (known !== undefined) {
        known.add(sourceId);
        return;
      }
      sourcesByDay.set(day, new Set([sourceId]));
      days.add(day);
    },
    remove: (day: number, sourceId: string) => {
      const known = sourcesByDay.get(day);
      if (known === undefined) return;
      known.delete(sourceId);
      if (known.size > 0) return;
      sourcesByDay.delete(day);
      days.remove(day);
    },
    days: days.items,
    sourcesOf: (day: number): Iterable<string> => sourcesByDay.get(day) ?? [],
  };
};

/** A day and the code of a run as one number, so that a set can hold many of them. */
const runsMax = 32;
const placeOf = (day: number, code: number): number => day * runsMax + code;
const dayIn = (place: number): number => Math.floor(place / runsMax);
const codeIn = (place: number): number => place - dayIn(place) * runsMax;

interface DayRange {
  readonly first: number;
  readonly last: number;
}

const placesBetween = ({ published, runCodes }: RunInstants, { first, last }: DayRange): Set<number> => {
  const places = new Set<number>();
  const end = countUpTo(published, (last + 1) * dayMs - 1);
  for (let at = countUpTo(published, first * dayMs - 1); at < end; at += 1) {
    places.add(placeOf(dayOf(published[at]!), runCodes[at]!));
  }
  return places;
};

/** Between which days the two differ: mostly one release of many came or went. Undefined where they do not. */
const changedDays = (before: RunInstants, after: RunInstants): DayRange | undefined => {
  const isSame = (beforeAt: number, afterAt: number): boolean =>
    before.published[beforeAt] === after.published[afterAt] && before.runCodes[beforeAt] === after.runCodes[afterAt];
  const [beforeCount, afterCount] = [before.published.length, after.published.length];
  const shared = Math.min(beforeCount, afterCount);
  let same = 0;
  while (same < shared && isSame(same, same)) same += 1;
  if (same === beforeCount && same === afterCount) return undefined;
  let sameLast = 0;
  while (sameLast < shared - same && isSame(beforeCount - 1 - sameLast, afterCount - 1 - sameLast)) sameLast += 1;
  const edgesOf = ({ published }: RunInstants): number[] =>
    same < published.length - sameLast ? [published[same]!, published[published.length - 1 - sameLast]!] : [];
  const days = [...edgesOf(before), ...edgesOf(after)].map(dayOf);
  return { first: Math.min(...days), last: Math.max(...days) };
};

/** By the codes of the runs. */
export const createDaysByRun = () => {
  const daysByRun = new Map<number, ReturnType<typeof createReleaseDays>>();

  const daysOf = (code: number) => {
    const known = daysByRun.get(code);
    if (known !== undefined) return known;
    const days = createReleaseDays();
    daysByRun.set(code, days);
    return days;
  };

  const addDated = (sourceId: string, { published, runCodes }: RunInstants) => {
    let last = Number.NaN; // of those of one day and run most follow each other
    for (let at = 0; at < published.length; at += 1) {
      const day = dayOf(published[at]!);
      const place = placeOf(day, runCodes[at]!);
      if (place !== last) daysOf(runCodes[at]!).add(day, sourceId);
      last = place;
    }
  };

  const replaceDated = (sourceId: string, before: RunInstants, after: RunInstants) => {
    if (before.published.length === 0) return addDated(sourceId, after); // as each does at a start
    const changed = changedDays(before, after);
    if (changed === undefined) return;
    const was = placesBetween(before, changed);
    const is = placesBetween(after, changed);
    for (const place of was) {
      if (!is.has(place)) daysOf(codeIn(place)).remove(dayIn(place), sourceId);
    }
    for (const place of is) {
      if (!was.has(place)) daysOf(codeIn(place)).add(dayIn(place), sourceId);
    }
  };

  const replaceRuns = (sourceId: string, before: RunInstants, after: RunInstants) => {
    replaceDated(sourceId, before, after);
    for (const code of before.undatedRuns) {
      if (!after.undatedRuns.has(code)) daysOf(code).remove(undatedDay, sourceId);
    }
    for (const code of after.undatedRuns) daysOf(code).add(undatedDay, sourceId);
  };

  return {
    runs: daysByRun as ReadonlyMap<number, ReleaseDays>,
    /** What was known of the source, and what is now. */
    replace: (sourceId: string, before: SourceInstants = noInstants, after: SourceInstants = noInstants) => {
      replaceRuns(sourceId, before, after);
      replaceRuns(sourceId, before.coverage ?? noInstants, after.coverage ?? noInstants);
    },
  };
};
