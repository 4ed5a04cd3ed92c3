import { jitterFloor } from './next-step.ts';

/**
 * How long the topic of a tier holds a message back: the shortest wait that jitter makes of its delay, so that no
 * message is held beyond its time.
 */
export const tierHoldMs = (delayMs: number): number => Math.floor(delayMs * jitterFloor);

/** Index of the tier that holds a message longest within its waiting time; null when that is too short for any. */
export const tierOf = (waitMs: number, delaysMs: readonly number[]): number | null => {
  let largest: number | null = null;
  for (const [index, delayMs] of delaysMs.entries()) {
    const isLarger = largest === null || delayMs > (delaysMs[largest] as number);
    if (tierHoldMs(delayMs) <= waitMs && isLarger) largest = index;
  }
  return largest;
};
