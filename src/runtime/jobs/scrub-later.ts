import type { Part } from '../../concurrency/run-together.ts';
import { createWakeableSleep } from '../../concurrency/wakeable-sleep.ts';
import type { Clock } from '../../ports/clock.ts';

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
/** About 20 s: of a long purge not too much shall have to be done again after a crash. */
const looksMax = 80;

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
  clock: Pick<Clock, 'sleep'>,
  scrub: (unscrubbed: Unscrubbed) => Promise<void>,
): ScrubLater {
  const woken = createWakeableSleep(clock);
  let waiting: Unscrubbed | null = null;
  let isScrubbing = false;
  /** Counted, not timed: a clock that is set back must not make it longer. */
  let looks = 0;
  let looksSinceLast = 0;

  const isDue = ({ isAwaited }: Unscrubbed): boolean => isAwaited || looksSinceLast >= quietLooks || looks >= looksMax;

  async function scrubAll(all: Unscrubbed): Promise<void> {
    waiting = null;
    isScrubbing = true;
    await scrub(all);
    isScrubbing = false;
  }

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
        await woken.sleep(waiting === null ? idleMs : lookMs, over);
        looks += 1;
        looksSinceLast += 1;
      }
    },
  };
}
