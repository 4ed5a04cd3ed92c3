import { type Part, runTogether } from '../../concurrency/run-together.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventBatch, EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import { type HeldLeases, LeaseLost } from './held-leases.ts';
import { retryThroughOutages } from './retry-through-outages.ts';

/** What is done with the events while the leases are held; begun anew each time they are taken. */
export interface Following {
  /** Where the work is: its own checkpoint, read after the leases were taken. */
  readonly from: number;
  readonly types: readonly string[];
  readonly batchSize: number;
  /** Stores what follows from the batch together with its checkpoint, guarded by the leases. */
  readonly onBatch: (batch: EventBatch, over: AbortSignal) => Promise<void>;
  /** Run beside; when one ends the leases are given back and the work is begun anew. */
  readonly beside?: readonly Part[];
}

export interface LeasedFollowerDeps<Held extends HeldLeases> {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly clock: Clock;
  readonly log: Log;
  /** As sentences name the work: `relaying`. */
  readonly what: string;
  /** Null while another process does the work, or there is none. */
  readonly acquire: () => Promise<Held | null>;
  /** Null when it was over before it began. */
  readonly open: (held: Held, over: AbortSignal) => Promise<Following | null>;
  /** How long it is until the leases are tried for again. */
  readonly standbyMs?: number;
  /** How long it is until work is begun again that failed though every server was there. */
  readonly retryMs?: number;
}

export interface LeasedFollower {
  /** Resolves after `close()`. */
  readonly done: Promise<void>;
  /** Lets the batch in hand finish and gives the leases back. */
  readonly close: () => Promise<void>;
  /** How far this one has come; 0 if it has never had the leases. */
  readonly position: () => number;
  /** The same, while it is this one that does the work; null when it has never begun, or another process has. */
  readonly ownPosition: () => number | null;
  /** Why it stands still; null when it does not, or only waits for a server. */
  readonly failure: () => Error | null;
}

/**
 * Follows the event log as the only one who does: takes its leases, goes on from its checkpoint, keeps the leases while it
 * works, waits through outages, and hands over when a lease is lost or it is closed. Work that fails is begun again
 * from what is stored.
 */
export function followWithLease<Held extends HeldLeases>(deps: LeasedFollowerDeps<Held>): LeasedFollower {
  const { store, clock, log, what, acquire, open, standbyMs = 1_000, retryMs = 5_000 } = deps;
  const stopping = new AbortController();
  let position = 0;
  let isOurs = false;
  let failure: Error | null = null;
  /** A batch was begun and has not been finished: maybe it failed. */
  let isBatchOpen = false;

  async function follow(held: Held, over: AbortSignal, reached: () => void): Promise<void> {
    const following = await open(held, over);
    if (following === null || over.aborted) return;
    const { from, types, batchSize, onBatch, beside = [] } = following;
    // After a batch that failed only its success shows that the outage is over.
    if (!isBatchOpen) reached();
    position = from;
    isOurs = true;
    let isDropped = false;
    const subscription = store.subscribe({
      afterPosition: from,
      batchSize,
      types,
      onBatch: async (batch) => {
        if (over.aborted) return; // for every later batch too: none is handled behind one that was left out
        if (isDropped) log.info(`${what} goes on: the event store is back`);
        isDropped = false;
        isBatchOpen = true;
        await onBatch(batch, over);
        if (over.aborted) return;
        isBatchOpen = false;
        failure = null;
        position = batch.position;
        reached();
      },
      onDrop: (error) => {
        if (!isDropped) log.warn(`${what} waits: the connection to the event store dropped`, { error });
        isDropped = true;
      },
    });
    const reading: Part = async (ended) => {
      const stop = () => void subscription.close();
      ended.addEventListener('abort', stop, { once: true });
      if (ended.aborted) stop();
      await subscription.done;
    };
    await runTogether(over, [reading, ...beside]);
  }

  async function standBy(reached: () => void): Promise<void> {
    isBatchOpen = false; // another process sees to it
    isOurs = false;
    failure = null;
    reached();
    await clock.sleep(standbyMs, stopping.signal);
  }

  async function takeTurn(reached: () => void): Promise<void> {
    try {
      const held = await acquire();
      if (held === null) return await standBy(reached);
      const work: Part = (over) => follow(held, over, reached);
      try {
        await runTogether(stopping.signal, [work, held.keep]);
      } finally {
        await held.release();
      }
    } catch (error) {
      if (error instanceof BackendUnavailable) throw error;
      if (error instanceof LeaseLost) return log.warn(`${error.message}; standing by`);
      failure = error as Error;
      log.error(`${what} failed and is tried again`, { error });
      await clock.sleep(retryMs, stopping.signal);
    }
  }

  const done = retryThroughOutages({ clock, log, what }, stopping.signal, takeTurn);
  return {
    done,
    close: async () => {
      stopping.abort();
      await done;
    },
    position: () => position,
    ownPosition: () => (isOurs ? position : null),
    failure: () => failure,
  };
}
