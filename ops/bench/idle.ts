import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './bench-report.ts';
import { cpuSeconds } from './worlds/cpu-time.ts';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { buildRegistry, type ServedRegistry, withServed } from './worlds/served-registry.ts';

/** A start goes on for a while after it is ready, and half a minute later the heaps of all threads are made smaller, once. */
const settleMs = 60_000;
const measuredMs = 30_000;

/** What the service costs while nobody asks anything. */
export const runIdle = (): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await buildRegistry(dataDir);
    const measure = async ({ pid }: ServedRegistry): Promise<Figure[]> => {
      await sleep(settleMs);
      const [before, startedMs] = [cpuSeconds(pid), performance.now()];
      await sleep(measuredMs);
      const share = (cpuSeconds(pid) - before) / secondsSince(startedMs);
      return [{ metric: 'an idle service, of one core', value: share * 100, unit: '%', atMost: 2 }];
    };
    // There is no source that could be asked.
    return withServed(dataDir, measure, { FETCH_SCHEDULE: 'on' });
  });
