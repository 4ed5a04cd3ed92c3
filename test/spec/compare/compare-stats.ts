import { stats } from '../../../queries/stats.ts';
import type { WantedEntries } from '../../../src/records/fetch-log.ts';
import { createFetchTimes } from '../../../src/records/fetch-times.ts';
import { madeUpFetchLog } from '../naive/naive-fetches.ts';
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
  const log = madeUpFetchLog(
    view.registry.sources.map(({ id }) => id),
    random,
  );
  const newestFetches = async ({ isWanted, limit }: WantedEntries) =>
    log.filter(({ sourceId }) => isWanted(sourceId)).slice(0, limit);
  const deps = { ...reading, lastFetches: async () => lastFetches, newestFetches };
  const expected = naiveStats(view, days, { last: lastFetches.times, log });
  same('stats', expected, await stats(deps, { days }, publicly(comparison)));
};
