import { readFileSync } from 'node:fs';

/** Of all threads of this process, in milliseconds. */
export async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What Linux counts the time of processes in, on every machine. */
const ticksPerSecond = 100;

/** CPU of all threads of a process so far. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process, in brackets, may hold anything; user and system time are the 12th and 13th behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
