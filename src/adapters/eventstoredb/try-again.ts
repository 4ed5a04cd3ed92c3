import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { failureKind, portError } from './failure-kind.ts';

export interface Patience {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Doubles with each failure; half of it is chance, so that many who failed together do not come back together. */
export const backOffMs = (failures: number, { firstMs, mostMs }: Patience, random: Random): number =>
  Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (0.5 + 0.5 * random.fraction());

/** For calls: the server may have been restarted, or one of its connections cut. */
const betweenTries: Patience = { firstMs: 50, mostMs: 400 };

export interface Tries {
  readonly clock: Clock;
  readonly random: Random;
  /** Fires when the store is closed: nothing is tried again then. */
  readonly stop: AbortSignal;
}

export interface TriesMax {
  readonly tries: number;
  /** After so long nothing is tried again. */
  readonly withinMs: number;
}

/** Does it again while the server cannot be reached. The work must be safe to repeat. */
export async function tryAgain<Result>(
  { clock, random, stop }: Tries,
  max: TriesMax,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const endMs = clock.nowMs() + max.withinMs;
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const isLast = failures === max.tries || clock.nowMs() >= endMs || stop.aborted;
      if (isLast || failureKind(error) !== 'unreachable') throw portError(error, what);
    }
    await clock.sleep(backOffMs(failures, betweenTries, random), stop);
  }
}
