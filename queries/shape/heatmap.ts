import { countsOfDays, type DatedList } from '../../src/catalogue/numbers.ts';
import { dayMs } from '../../src/kernel/dates.ts';
import { dayText, lastDays } from './day-range.ts';

const heatmapDays = 364;

/** Releases by day over the last 52 weeks, without the days that had none (contract 3.5). */
export const heatmapOf = (instants: DatedList, nowMs: number) => {
  const counts = countsOfDays(instants, heatmapDays, nowMs);
  const firstDay = Math.floor(nowMs / dayMs) - heatmapDays + 1;
  return {
    range: lastDays(heatmapDays, nowMs),
    dailyCounts: counts.flatMap((count, at) => (count === 0 ? [] : [{ date: dayText(firstDay + at), count }])),
    total: counts.reduce((sum, count) => sum + count, 0),
  };
};
