import { dayMs } from '../../src/kernel/dates.ts';

/** A UTC day as it is written. */
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** So many UTC days, the last of which is today. */
export const lastDays = (dayCount: number, nowMs: number) => {
  const today = Math.floor(nowMs / dayMs);
  return { from: dayText(today - dayCount + 1), to: dayText(today) };
};
