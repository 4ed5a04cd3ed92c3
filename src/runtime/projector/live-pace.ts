import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import { createLiveReadModels } from './live-read-models.ts';

/** How fast somebody may work through the log without holding up those who follow its end. */
export interface LivePace {
  /** Events to take at once: fewer while the live read models are behind. */
  readonly eventsAtOnce: () => number;
  /** Waits until the live read models have seen all that is in the log now, but never for long. */
  readonly giveWay: (over: AbortSignal) => Promise<void>;
}

export interface LivePaceDeps {
  readonly store: Pick<EventStore, 'head'>;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  /** The read models that must not fall behind, whoever feeds them. */
  readonly live: readonly Projection[];
}

const eventsAtOnceMax = 2_000;
const eventsAtOnceMin = 125;

const pollMs = 5;
/** After this long a step is taken all the same, so that an endless stream of writes does not keep a filling from its end. */
const waitMsMax = 250;

/** The signal is what the stores say, the head and the checkpoints: so it holds for a projector in any process. */
export function createLivePace({ store, readModels, clock, live }: LivePaceDeps): LivePace {
  const { lowestPosition } = createLiveReadModels(readModels, live, clock);
  let eventsAtOnce = eventsAtOnceMax;
  let lastSeen = 0;
  /** Read models that are behind and stand still are fed by nobody, or cannot be: waiting would not help them. */
  let isFed = true;

  async function waitFor(head: number, over: AbortSignal): Promise<void> {
    const from = lastSeen;
    for (let waitedMs = 0; waitedMs < waitMsMax && lastSeen < head && !over.aborted; waitedMs += pollMs) {
      await clock.sleep(pollMs, over);
      lastSeen = await lowestPosition(live);
    }
    isFed = lastSeen > from;
  }

  return {
    eventsAtOnce: () => eventsAtOnce,
    giveWay: async (over) => {
      if (live.length === 0) return;
      const head = await store.head();
      const position = await lowestPosition(live);
      isFed ||= position > lastSeen;
      lastSeen = position;
      const isBehind = isFed && position < head;
      eventsAtOnce = isBehind
        ? Math.max(eventsAtOnceMin, Math.floor(eventsAtOnce / 2))
        : Math.min(eventsAtOnceMax, eventsAtOnce * 2);
      if (isBehind) await waitFor(head, over);
    },
  };
}
