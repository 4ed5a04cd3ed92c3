import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the work in an empty folder that is gone afterwards. */
export async function inBenchFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove); // also when a thread's failure ends the process
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** A thread of the stores died: there is nothing left to measure. */
export const failBench = (error: Error): void => {
  process.nextTick(() => {
    throw error;
  });
};

export const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / 1_000;
