import { dueUntilMs } from '../domain/release/visible.ts';
import { dayMs } from '../kernel/dates.ts';
import { countUpTo, type SourceInstants } from './instants/source-instants.ts';

/** The numbers of contract 2.12 over the counted releases of some sources, as of a moment. */
export type InstantsList = readonly SourceInstants[];

/** What most of them look at. */
export type DatedList = readonly Pick<SourceInstants, 'published' | 'undatedCount'>[];

export const recentDays = 30;
const paceDaysMax = 90;
const gapDays = 180;
const gapReleasesMin = 3;

export const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

const countDue = (published: readonly number[], nowMs: number): number => countUpTo(published, dueUntilMs(nowMs));

export const releaseCount = (list: DatedList, nowMs: number): number =>
  list.reduce((sum, { published, undatedCount }) => sum + undatedCount + countDue(published, nowMs), 0);

/** All of one source, and those of them dated at or after a moment; mostly its oldest and newest tell. */
const countsSince = ({ published, undatedCount }: DatedList[number], sinceMs: number, nowMs: number) => {
  const [first = 0, last = 0] = [published[0], published[published.length - 1]];
  const due = last <= dueUntilMs(nowMs) ? published.length : countDue(published, nowMs);
  // Dates are whole milliseconds.
  const before = first >= sinceMs ? 0 : last < sinceMs ? published.length : countUpTo(published, sinceMs - 1);
  return { total: undatedCount + due, recent: Math.max(0, due - before) };
};

const releasesSince = (list: DatedList, sinceMs: number, nowMs: number): number =>
  list.reduce((sum, instants) => sum + countsSince(instants, sinceMs, nowMs).recent, 0);

export const recentReleaseCount = (list: DatedList, nowMs: number): number =>
  releasesSince(list, nowMs - recentDays * dayMs, nowMs);

const extreme = (values: readonly (number | null | undefined)[], pick: (...ms: number[]) => number): number | null => {
  const known = values.filter((ms): ms is number => ms != null);
  return known.length === 0 ? null : known.reduce((a, b) => pick(a, b));
};

export const oldestPublishedMs = (list: InstantsList, nowMs: number): number | null =>
  extreme(
    list.map(({ published: [first] }) => (first !== undefined && first <= dueUntilMs(nowMs) ? first : null)),
    Math.min,
  );

export const newestPublishedMs = (list: DatedList, nowMs: number): number | null =>
  extreme(
    list.map(({ published }) => published[countDue(published, nowMs) - 1]),
    Math.max,
  );

export const newestFetchedMs = (list: InstantsList, nowMs: number): number | null =>
  extreme(
    list.flatMap(({ published, newestFetched, undatedNewestFetched }) => [
      newestFetched[countDue(published, nowMs) - 1],
      undatedNewestFetched,
    ]),
    Math.max,
  );

/** Over the last 90 days, or since the oldest release when that is nearer. */
export const avgReleasesPerWeek = (list: InstantsList, nowMs: number): number => {
  const oldestMs = oldestPublishedMs(list, nowMs);
  if (oldestMs === null) return 0;
  const windowMs = Math.min(paceDaysMax * dayMs, Math.max(0, nowMs - oldestMs));
  return oneDecimal(releasesSince(list, nowMs - windowMs, nowMs) / Math.max(1, windowMs / (7 * dayMs)));
};

/** Releases of each of so many UTC days; the last one is today. */
export const countsOfDays = (list: DatedList, dayCount: number, nowMs: number): number[] => {
  const days = new Array<number>(dayCount).fill(0);
  const firstDay = Math.floor(nowMs / dayMs) - dayCount + 1;
  for (const { published } of list) {
    const end = countDue(published, nowMs);
    for (let at = countUpTo(published, firstDay * dayMs - 1); at < end; at += 1) {
      const day = Math.floor((published[at] as number) / dayMs) - firstDay;
      // In the last minute of a day a release may be due that is dated tomorrow.
      if (day < dayCount) days[day] = (days[day] as number) + 1;
    }
  }
  return days;
};

export const sparkline = (list: DatedList, nowMs: number): number[] => countsOfDays(list, recentDays, nowMs);

/** The usual pause between two releases of the last 180 days, in days. */
export const medianGapDays = (list: InstantsList, nowMs: number): number | null => {
  const moments = list.flatMap(({ published }) => {
    const from = countUpTo(published, nowMs - gapDays * dayMs - 1);
    return published.slice(from, countDue(published, nowMs));
  });
  if (moments.length < gapReleasesMin) return null;
  moments.sort((a, b) => a - b);
  const gaps = moments.slice(1).map((ms, index) => ms - (moments[index] as number));
  gaps.sort((a, b) => a - b);
  const middle = gaps.length >>> 1;
  const upper = gaps[middle] as number;
  return oneDecimal((gaps.length % 2 === 1 ? upper : ((gaps[middle - 1] as number) + upper) / 2) / dayMs);
};
