import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './bench-report.ts';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { buildRegistry, withServed } from './worlds/served-registry.ts';

/** A start goes on for a while after it is ready. */
const settleMs = 15_000;
const measuredMs = 30_000;
/** What Linux counts the time of processes in, on every machine. */
const ticksPerSecond = 100;

/** CPU of all threads of a process so far. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process, in brackets, may hold anything; user and system time are the 12th and 13th behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** What the service costs while nobody asks anything. */
export const runIdle = (): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await buildRegistry(dataDir);
    return withServed(dataDir, async ({ pid }) => {
      await sleep(settleMs);
      const [before, startedMs] = [cpuSeconds(pid), performance.now()];
      await sleep(measuredMs);
      const share = (cpuSeconds(pid) - before) / secondsSince(startedMs);
      return [{ metric: 'an idle service, of one core', value: share * 100, unit: '%', atMost: 2 }];
    });
  });
