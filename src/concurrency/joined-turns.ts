import type { Clock } from '../ports/clock.ts';

export interface JoinedTurns {
  /**
   * The same key stands for the same question. Null, and nothing done for this one, when its turn does not come in time.
   */
  readonly run: <Answer>(key: string, withinMs: number, work: () => Promise<Answer>) => Promise<Answer | null>;
}

/** Of all who wait with the same question. */
interface Place {
  /** Of the last one that joined, so that nobody is answered as of an earlier moment than that of asking. */
  work: () => Promise<unknown>;
  readonly waiting: Set<(answer: Promise<unknown>) => void>;
}

/**
 * Lets so many work at once; the others wait in the order in which they came. Who has the same question as one that waits
 * shares its turn, but not that of one which has begun: that may have read already what has changed since.
 */
export function createJoinedTurns(clock: Pick<Clock, 'sleep'>, atOnceMax: number): JoinedTurns {
  let free = atOnceMax;
  const places = new Map<string, Place>();

  async function begin(work: () => Promise<unknown>): Promise<unknown> {
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  function giveBack(): void {
    for (const [key, { work, waiting }] of places) {
      places.delete(key);
      const answer = begin(work);
      for (const tell of waiting) tell(answer);
      waiting.clear();
      return;
    }
    free += 1;
  }

  const waitAt = (key: string, { waiting }: Place, withinMs: number): Promise<unknown> =>
    new Promise((resolve) => {
      const over = new AbortController();
      const tell = (answer: Promise<unknown>) => {
        over.abort();
        resolve(answer);
      };
      waiting.add(tell);
      void clock.sleep(withinMs, over.signal).then(() => {
        if (!waiting.delete(tell)) return;
        if (waiting.size === 0) places.delete(key);
        resolve(null);
      });
    });

  const enter = (key: string, withinMs: number, work: () => Promise<unknown>): Promise<unknown> => {
    if (free > 0) {
      free -= 1;
      return begin(work);
    }
    const place = places.get(key) ?? { work, waiting: new Set() };
    place.work = work;
    places.set(key, place);
    return waitAt(key, place, withinMs);
  };

  return {
    run: <Answer>(key: string, withinMs: number, work: () => Promise<Answer>) =>
      // Under a key lies one question, and so one kind of answer; a map cannot say so.
      enter(key, withinMs, work) as Promise<Answer | null>,
  };
}
