import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventBatch, EventStore, Subscription } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { MessageBus } from '../../ports/message-bus.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { followWhile } from '../resilience/follow-while.ts';
import { LeaseLost } from '../resilience/lease-lost.ts';
import { retryThroughOutages } from '../resilience/retry-through-outages.ts';
import { type OpenedSubscriptions, openSubscriptions } from './open-subscriptions.ts';
import { createReadModelsGate, type ReadModelsGateDeps } from './read-models-gate.ts';
import { lastAnnouncedAt, relayedTypes, relayStep } from './relay-batch.ts';
import { relayCheckpointChange } from './relay-checkpoint.ts';
import { subscriptionsGeneration } from './relay-subscriptions.ts';
import { storedSubscriptionChanges } from './stored-subscriptions.ts';
import { transactLeased } from './transact-leased.ts';

export interface RelayDeps extends ReadModelsGateDeps {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly bus: Pick<MessageBus, 'produce'>;
  readonly clock: Clock;
  readonly holder: string;
  /** Of the registry, wherever its events are stored. */
  readonly registryId: string;
  /** Of the bus; on another one than before the relay goes back some days. */
  readonly busId: string;
  /** Of the stored subscriptions; the one of the code when absent. */
  readonly generation?: number;
}

export interface Relay {
  readonly done: Promise<void>;
  /** Lets the batch in hand finish and gives the lease back. */
  readonly close: () => Promise<void>;
  /** How far this one has come; 0 if it has never had the lease. */
  readonly position: () => number;
  /** Why it stands still; null when it does not, or only waits for a server. */
  readonly failure: () => Error | null;
}

const leaseTtlMs = 10_000;
const standbyMs = 1_000;
const retryMs = 5_000;
const batchSize = 500;

/** Where nothing was to be sent the checkpoint is saved this rarely: reading that again takes a moment only. */
const checkpointEveryMs = 10_000;

/**
 * Brings the events to the bus: what the registry publishes, and one message for each subscription that an announcement
 * concerns. First it produces, then it saves how far it is, so that a crash repeats messages but loses none; who gets
 * an announcement is decided as of its place in the log, however late that is.
 */
export function startRelay(deps: RelayDeps): Relay {
  const { store, ops, clock, log, holder, busId, generation = subscriptionsGeneration } = deps;
  const passReadModels = createReadModelsGate(deps);
  const stopping = new AbortController();
  let relayedTo = 0;
  /** One was begun and has not been finished: maybe it failed. */
  let isBatchOpen = false;
  let failure: Error | null = null;

  /**
   * Step by step: produces first and saves then; where nothing was to be sent, it saves only if that is due. Ends early
   * when it is over. Answers whether anything was saved.
   */
  async function handle(
    { events, position: end }: EventBatch,
    opened: OpenedSubscriptions,
    lease: Lease,
    isCheckpointDue: boolean,
    over: AbortSignal,
  ): Promise<boolean> {
    const { deliverSinceMs } = opened;
    let isSaved = false;
    let rest = events;
    do {
      const { taken, messages } = await relayStep(deps, opened, rest);
      const position = taken === rest.length ? end : rest[taken - 1]!.position;
      const changes = opened.subscriptions.takeChanges();
      if (messages > 0 || changes.length > 0 || isCheckpointDue) {
        const checkpoint = relayCheckpointChange({ position, generation, busId, deliverSinceMs });
        await transactLeased(ops, lease, [...storedSubscriptionChanges(generation, changes), checkpoint]);
        isSaved = true;
      }
      relayedTo = position;
      rest = rest.slice(taken);
    } while (rest.length > 0 && !over.aborted);
    return isSaved;
  }

  const follow = (opened: OpenedSubscriptions, lease: Lease, over: AbortSignal, reached: () => void) => {
    let savedMs = clock.nowMs();
    let isDropped = false;
    relayedTo = opened.position;
    return store.subscribe({
      afterPosition: opened.position,
      batchSize,
      types: relayedTypes,
      onBatch: async (batch) => {
        if (isDropped) log.info('relaying goes on: the event store is back');
        isDropped = false;
        isBatchOpen = true;
        const announcedAt = lastAnnouncedAt(batch.events);
        if (announcedAt !== null) await passReadModels(announcedAt, over);
        // Then it is over for every later batch too: none is relayed behind one that was left out.
        if (over.aborted) return;
        const isCheckpointDue = clock.nowMs() - savedMs >= checkpointEveryMs;
        const isSaved = await handle(batch, opened, lease, isCheckpointDue, over);
        isBatchOpen = false;
        failure = null;
        if (isSaved) savedMs = clock.nowMs();
        reached();
      },
      onDrop: (error) => {
        if (!isDropped) log.warn('relaying waits: the connection to the event store dropped', { error });
        isDropped = true;
      },
    });
  };

  /** Opens what is stored, then follows the events, as one piece of work that can be closed at any time. */
  const relayWith = (lease: Lease, reached: () => void): Subscription => {
    const closing = new AbortController();
    const over = closing.signal;
    const run = async (): Promise<void> => {
      const opened = await openSubscriptions({ ...deps, lease, generation, stop: over });
      if (opened === null || over.aborted) return;
      // After a batch that failed only its success shows that the outage is over.
      if (!isBatchOpen) reached();
      const subscription = follow(opened, lease, over, reached);
      over.addEventListener('abort', () => void subscription.close());
      await subscription.done;
    };
    const done = run();
    const close = async (): Promise<void> => {
      closing.abort();
      await Promise.allSettled([done]); // how it ended is told by `done`
    };
    return { done, close };
  };

  const renewing =
    (lease: Lease) =>
    async (over: AbortSignal): Promise<void> => {
      for (;;) {
        await clock.sleep(leaseTtlMs / 3, over);
        if (over.aborted) return;
        if (!(await ops.leases.renew(lease, leaseTtlMs))) throw new LeaseLost('relaying');
      }
    };

  async function standBy(reached: () => void): Promise<void> {
    isBatchOpen = false; // another process sees to it
    failure = null;
    reached();
    await clock.sleep(standbyMs, stopping.signal);
  }

  async function relayOnce(reached: () => void): Promise<void> {
    try {
      const lease = await ops.leases.acquire('relay', holder, leaseTtlMs);
      if (lease === null) return await standBy(reached);
      await followWhile(relayWith(lease, reached), renewing(lease), stopping.signal).finally(() =>
        ops.leases.release(lease),
      );
    } catch (error) {
      if (error instanceof BackendUnavailable) throw error;
      if (error instanceof LeaseLost) return;
      failure = error as Error;
      log.error('relaying failed and is tried again', { error });
      await clock.sleep(retryMs, stopping.signal);
    }
  }

  const done = retryThroughOutages({ clock, log, what: 'relaying' }, stopping.signal, relayOnce);
  return {
    done,
    close: async () => {
      stopping.abort();
      await done;
    },
    position: () => relayedTo,
    failure: () => failure,
  };
}
