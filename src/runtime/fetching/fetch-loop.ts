import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { TakenTurn } from '../../records/fetching/fetch-turns.ts';
import { retryThroughOutages } from '../resilience/retry-through-outages.ts';
import { createFetchRounds, type FetchRoundsDeps } from './fetch-rounds.ts';

/** What other processes ask for is seen that much later; what this one does, at once. */
const lookEveryMs = 5_000;
/** What is due and could not be taken is being taken by somebody else. */
const lookAgainMs = 50;

interface FetchOptions {
  readonly stop: AbortSignal;
  /** A host at which a place is kept for it. */
  readonly heldHost?: string;
}

interface FetchLoopDeps extends Omit<FetchRoundsDeps, 'onFree' | 'clock' | 'fetch'> {
  readonly fetch: (taken: TakenTurn, options: FetchOptions) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
  /** False while what a fetch needs is not there yet. */
  readonly isReady: () => Promise<boolean>;
}

export interface FetchLoop {
  /** Resolves after `close()`. */
  readonly done: Promise<void>;
  /** Breaks off what waits for third parties, and lets what is being stored be stored. */
  readonly close: () => Promise<void>;
  /** Something is due that was not a moment ago. */
  readonly wake: () => void;
}

/** Fetches what is due, as long as it runs, and sleeps until something is. */
export function startFetchLoop(deps: FetchLoopDeps): FetchLoop {
  const { clock, log, isReady } = deps;
  const stopping = new AbortController();
  const stop = stopping.signal;
  let waking = new AbortController();
  const wake = () => waking.abort();
  const fetch: FetchRoundsDeps['fetch'] = (taken, heldHost) =>
    deps.fetch(taken, { stop, ...(heldHost !== undefined && { heldHost }) });
  const rounds = createFetchRounds({ ...deps, fetch, onFree: wake });

  async function round(reached: () => void): Promise<void> {
    // From here on whoever wakes it is heard: also while it looks.
    waking = new AbortController();
    const found = (await isReady()) ? await rounds.begin() : 0;
    const nextMs = await rounds.nextMs();
    reached();
    const inMs = nextMs === null ? lookEveryMs : nextMs - clock.nowMs();
    if (found > 0 && inMs <= 0) return;
    const waitMs = Math.min(Math.max(inMs, lookAgainMs), lookEveryMs);
    await clock.sleep(waitMs, AbortSignal.any([stop, waking.signal]));
  }

  async function fetchUntilStopped(): Promise<void> {
    try {
      await retryThroughOutages({ clock, log, what: 'fetching' }, stop, round);
    } finally {
      await rounds.settled();
    }
  }

  const done = fetchUntilStopped();
  return {
    done,
    wake,
    close: async () => {
      stopping.abort();
      await done;
    },
  };
}
