import { stats } from '../../../queries/stats.ts';
import { createFetchTimes } from '../../../src/records/fetch-times.ts';
import { naiveStats } from '../naive/naive-stats.ts';
import { type Comparison, publicly, same } from './comparison.ts';

const dayMs = 86_400_000;

/** Fetches are no events, so they are made up here: some sources never were, others just in time or just too late. */
export const compareStats = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const days = random.pick([1, 7, 30, 36_500]);
  const cutoffMs = view.nowMs - days * dayMs;
  const fetched = view.registry.sources
    .filter(() => random.chance(70))
    .map(({ id }) => [id, cutoffMs + random.pick([-1, 0, 1, dayMs])] as const);
  const lastFetches = createFetchTimes(fetched).reads;
  const deps = { ...reading, lastFetches: async () => lastFetches, newestFetches: async () => [] };
  same('stats', naiveStats(view, days, lastFetches.times), await stats(deps, { days }, publicly(comparison)));
};
