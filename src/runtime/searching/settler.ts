import type { Part } from '../../concurrency/run-together.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SearchIndex } from '../../ports/search-index.ts';

export interface Settler {
  /** Something was written: it is found from here on, or within a moment where something was settled just now. */
  readonly written: () => Promise<void>;
  /** Settles what was left. */
  readonly keep: Part;
}

/** A server makes new files whenever it settles, and merges them later: more often nobody would notice. */
const settleEachMs = 1_000;

/** Lets what is written to an index be found soon, and all that is written in a while together. */
export function createSettler({ settle }: Pick<SearchIndex, 'settle'>, clock: Clock): Settler {
  let settledMs = Number.NEGATIVE_INFINITY;
  let isWaiting = false;

  const settleNow = async (): Promise<void> => {
    settledMs = clock.nowMs();
    isWaiting = false; // before it begins: what is written meanwhile waits for the next time
    try {
      await settle();
    } catch (error) {
      isWaiting = true;
      throw error;
    }
  };

  return {
    written: async () => {
      isWaiting = true;
      if (clock.nowMs() - settledMs >= settleEachMs) await settleNow();
    },
    keep: async (over) => {
      while (!over.aborted) {
        await clock.sleep(settleEachMs, over);
        if (!over.aborted && isWaiting) await settleNow();
      }
    },
  };
}
