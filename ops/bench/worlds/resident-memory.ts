import { execFileSync } from 'node:child_process';

/** What the system counts for the whole process, its threads included. */
export const residentMiB = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
