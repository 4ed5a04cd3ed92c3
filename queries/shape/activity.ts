import type { SourceActivity } from '../../src/catalogue/instants/activity.ts';
import type { DatedRange } from '../../src/catalogue/instants/known-releases.ts';
import { type InstantsList, newestPublishedMs, oldestPublishedMs, oneDecimal } from '../../src/catalogue/numbers.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import { dayMs } from '../../src/kernel/dates.ts';
import { dayText } from './day-range.ts';

/** Days that were asked for, as their first milliseconds; null: as far as there are releases. */
export interface ActivityDays {
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Whole UTC days, both included. */
interface Days {
  readonly first: number;
  readonly last: number;
}

const dayOf = (ms: number): number => Math.floor(ms / dayMs);

/** An end that was not asked for does not cross the one that was. */
export const effectiveDays = (instants: InstantsList, { fromMs, toMs }: ActivityDays, nowMs: number): Days => {
  const first = dayOf(fromMs ?? oldestPublishedMs(instants, nowMs) ?? nowMs);
  const last = dayOf(toMs ?? newestPublishedMs(instants, nowMs) ?? nowMs);
  if (first <= last) return { first, last };
  return fromMs === null ? { first: last, last } : { first, last: first };
};

/** What is not due yet is not there. */
export const rangeOf = ({ first, last }: Days, nowMs: number): DatedRange => ({
  fromMs: first * dayMs,
  toMs: Math.min((last + 1) * dayMs - 1, dueUntilMs(nowMs)),
});

export const shownRange = ({ first, last }: Days) => ({ from: dayText(first), to: dayText(last) });

export const perWeek = (count: number, { first, last }: Days): number =>
  oneDecimal(count / Math.max(1, (last - first + 1) / 7));

export const weeklyBuckets = ({ weeks }: SourceActivity) =>
  weeks.map(({ monday, count, earliestVersion, latestVersion }) => ({
    weekStart: dayText(monday),
    count,
    earliestVersion,
    latestVersion,
  }));

/** The weeks of several sources as one. */
export const aggregateWeekly = (activities: readonly SourceActivity[]) => {
  const counts = new Map<number, number>();
  for (const { weeks } of activities) {
    for (const { monday, count } of weeks) counts.set(monday, (counts.get(monday) ?? 0) + count);
  }
  return [...counts].sort(([a], [b]) => a - b).map(([monday, count]) => ({ weekStart: dayText(monday), count }));
};
