import { readFileSync } from 'node:fs';

/**
 * What the system counts for the whole process, its threads included: now, or at the most so far. Read without a process of its
 * own, which would hold up whoever measures meanwhile.
 */
export const residentMiB = (pid: number, counted: 'VmRSS' | 'VmHWM' = 'VmRSS'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = new RegExp(`^${counted}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kib === undefined) throw new Error(`the system does not tell the memory of ${pid}`);
  return Number(kib) / 1024;
};
