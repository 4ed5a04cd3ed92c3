import { getPriority, setPriority } from 'node:os';

/** Larger steps aside further, as Linux counts: at 5 it gets a third of what others get who want the same core, at 10 a tenth. */
const niceness = { asked: 5, unasked: 10 } as const;

/**
 * For a thread that computes for long, while others of the process answer requests within a millisecond: these have the
 * processor first. The more so where nobody waits for what it does (`unasked`). Threads that it starts are like it.
 * Only Linux knows priorities of single threads; elsewhere this would be about the whole process.
 */
export function stepAside(work: keyof typeof niceness): void {
  if (process.platform !== 'linux') return;
  if (getPriority() < niceness[work]) setPriority(niceness[work]); // of one that steps aside as a whole it stays as it is
}
