import type { Part } from '../../concurrency/run-together.ts';
import { createWakeableSleep } from '../../concurrency/wakeable-sleep.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { LeaseLost } from '../resilience/held-leases.ts';

/** Erasures whose texts are out of their streams, while other stores may still hold them. */
export interface Unscrubbed {
  /** What read models have to pass before they can be scrubbed, and what the search index has to. */
  readonly erasedTo: number;
  readonly searchedTo: number;
  /** Whoever has scrubbed all of them has seen the log up to here. */
  readonly position: number;
  /** Somebody waits for it: then it is scrubbed at once. */
  readonly isAwaited: boolean;
}

export interface ScrubLater {
  readonly add: (unscrubbed: Unscrubbed) => void;
  /** Nothing of what was added waits to be scrubbed, nor is being scrubbed. */
  readonly isIdle: () => boolean;
  /** Scrubs what is due, until it is over. */
  readonly keep: Part;
}

const lookMs = 250;
/** While nothing waits, whoever adds something wakes it. */
const idleMs = 60_000;
/** A purge adds more several times a second: after so many looks without, it is through, or stands still. */
const quietLooks = 4;
/** About 6 s: whoever erases what a purge has just erased waits for this, and gives up after 10. */
const looksMax = 24;
/** After a scrub that failed: a store is away, or a read model is behind. */
const retryMs = 1_000;

const together = (a: Unscrubbed, b: Unscrubbed): Unscrubbed => ({
  erasedTo: Math.max(a.erasedTo, b.erasedTo),
  searchedTo: Math.max(a.searchedTo, b.searchedTo),
  position: Math.max(a.position, b.position),
  isAwaited: a.isAwaited || b.isAwaited,
});

/**
 * What a scrub costs depends on what the stores hold, not on what was erased. So what a purge erases step by step is scrubbed
 * when it comes to its end, or pauses, and every now and then between; only what somebody waits for is not put off.
 */
export function createScrubLater(
  { clock, log }: { readonly clock: Pick<Clock, 'sleep'>; readonly log: Log },
  scrub: (unscrubbed: Unscrubbed) => Promise<void>,
): ScrubLater {
  const woken = createWakeableSleep(clock);
  let waiting: Unscrubbed | null = null;
  let isScrubbing = false;
  /** Counted, not timed: a clock that is set back must not make it longer. */
  let looks = 0;
  let looksSinceLast = 0;
  /** What the last scrub failed with: one line tells it, however often it is tried. */
  let failure: string | null = null;

  function fail(all: Unscrubbed, error: Error): void {
    if (error instanceof LeaseLost) throw error;
    // What was truncated is not truncated again for that, and what comes meanwhile is scrubbed with it.
    waiting = waiting === null ? all : together(all, waiting);
    if (failure !== error.message) log.warn(`erased texts cannot be scrubbed yet: ${error.message}`, { error });
    failure = error.message;
  }

  const isDue = ({ isAwaited }: Unscrubbed): boolean => isAwaited || looksSinceLast >= quietLooks || looks >= looksMax;

  async function scrubAll(all: Unscrubbed): Promise<void> {
    waiting = null;
    isScrubbing = true;
    try {
      await scrub(all);
      if (failure !== null) log.info('erased texts are scrubbed again');
      failure = null;
    } catch (error) {
      fail(all, error as Error);
    } finally {
      isScrubbing = false;
    }
  }

  const pauseMs = (): number => {
    if (failure !== null) return retryMs;
    return waiting === null ? idleMs : lookMs;
  };

  return {
    add: (unscrubbed) => {
      const isFirst = waiting === null;
      waiting = waiting === null ? unscrubbed : together(waiting, unscrubbed);
      looksSinceLast = 0;
      if (isFirst) looks = 0;
      if (isFirst || unscrubbed.isAwaited) woken.wake();
    },
    isIdle: () => waiting === null && !isScrubbing,
    keep: async (over) => {
      while (!over.aborted) {
        if (waiting !== null && isDue(waiting)) await scrubAll(waiting);
        await woken.sleep(pauseMs(), over);
        looks += 1;
        looksSinceLast += 1;
      }
    },
  };
}
