import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const lookEachMs = 10;

/** The most memory that a process ever had until it ended, as the system counts it. */
export async function peakMiB(pid: number, exited: Promise<number | null>): Promise<number> {
  let isRunning = true;
  const ended = exited.then((code) => {
    isRunning = false;
    if (code !== 0) throw new Error(`a process of the bench ended with ${code}`);
  });
  let peak = 0;
  while (isRunning) {
    const kib = /VmHWM:\s+(\d+)/.exec(statusOf(pid))?.[1];
    if (kib !== undefined) peak = Number(kib) / 1024;
    await Promise.race([sleep(lookEachMs), ended]);
  }
  await ended;
  return peak;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''; // it ends just now
    throw error;
  }
}
