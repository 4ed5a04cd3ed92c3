import type { RetryDelay } from '../../delivery/retry-delays.ts';
import { deadLettersTopic, delivererGroup, deliveriesTopic, retryGroup, retryHoldsMs } from '../../delivery/topics.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { MessageBus } from '../../ports/message-bus.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { Random } from '../../ports/random.ts';
import { createAnnouncements } from './announcements.ts';
import { createAttemptLedger } from './attempt-ledger.ts';
import { type DeliveryCollections, openDeliveryCollections } from '../../records/delivery/delivery-collections.ts';
import { createDeliveryOutlet } from './delivery-outlet.ts';
import { createDeliveryPlan, type DeliveryPlanDeps } from './delivery-plan.ts';
import { deliveryTopics } from './delivery-topics.ts';
import { createDisableGone, type Disable } from './disable-gone.ts';
import { createDropNotice } from './drop-notice.ts';
import { createHandleDelivery } from './handle-delivery.ts';
import { createHandleRetry } from './handle-retry.ts';
import { createMakeAttempt, type MakeAttemptDeps } from './make-attempt.ts';
import type { OnAttempt, OnDeliveryOutcome } from './on-attempt.ts';
import { startSweeper } from './sweeper.ts';
import { createTakeDelivery } from './take-delivery.ts';
import { createWaits } from './waits.ts';

export interface DelivererDeps extends Omit<DeliveryPlanDeps, 'announcements' | 'store'>, MakeAttemptDeps {
  readonly store: Pick<EventStore, 'read' | 'readMany'>;
  readonly bus: MessageBus;
  readonly ops: OperationalStore;
  readonly disable: Disable;
  readonly delays: readonly RetryDelay[];
  readonly random: Random;
  readonly holder: string;
  /** Attempts at once. */
  readonly concurrency?: number;
  readonly leaseMs?: number;
  readonly onAttempt?: OnAttempt;
  readonly onOutcome?: OnDeliveryOutcome;
}

export interface Deliverer {
  /** Resolves after `close()`; rejects when the topics cannot be consumed. */
  readonly done: Promise<void>;
  /** Gives back what waits and lets what was sent be answered. */
  readonly close: () => Promise<void>;
}

interface Part {
  readonly done: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Of contract 13.7. */
const atOncePerWebhook = 10;
/** They only wait. */
const waitingMax = 1_000;
/**
 * From the write that begins an attempt to the write that ends it: 10 s for the answer, at most 5 s before that for the
 * addresses of the host, and 5 s for the two writes. An attempt that takes longer is made by another member once more.
 */
const defaultLeaseMs = 20_000;

/** Consumes deliveries and retries, sends them, and decides what follows. Any number of processes share the work. */
export function startDeliverer(deps: DelivererDeps): Deliverer {
  const { bus, ops, clock, log, delays, concurrency = 256, leaseMs = defaultLeaseMs } = deps;
  const { onAttempt, onOutcome } = deps;
  const stopping = new AbortController();
  const waits = createWaits({ clock, log, stopping: stopping.signal });
  const topics = deliveryTopics(delays);
  const outlet = createDeliveryOutlet({ bus, topics, clock });

  const common = {
    deadLetterTopic: deadLettersTopic,
    onDeadLetter: ({ topic }: { readonly topic: string }, error: unknown) =>
      log.error(`a message of ${topic} could not be handled and lies in ${deadLettersTopic}`, { error }),
    onDrop: createDropNotice({ clock, log }),
  };

  function start(collections: DeliveryCollections): Part[] {
    const planOf = createDeliveryPlan({ ...deps, announcements: createAnnouncements(deps) });
    const handleDelivery = createHandleDelivery({
      ...deps,
      take: createTakeDelivery({ ops, deliveries: collections.deliveries, planOf, clock, leaseMs }),
      makeAttempt: createMakeAttempt(deps),
      ledger: createAttemptLedger({ ops, collections, waits }),
      disableGone: createDisableGone({ ...deps, waits }),
      outlet,
      topics,
      waits,
      onAttempt,
      onOutcome,
    });
    const deliveries = bus.consume({
      ...common,
      group: delivererGroup,
      topics: [deliveriesTopic],
      concurrency,
      concurrencyPerKey: atOncePerWebhook,
      handle: handleDelivery,
    });
    const retries = bus.consume({
      ...common,
      group: retryGroup,
      topics: topics.retries,
      delaysMs: retryHoldsMs(delays),
      concurrency: waitingMax,
      concurrencyPerKey: waitingMax,
      handle: createHandleRetry({ clock, topics, outlet, waits }),
    });
    return [deliveries, retries, startSweeper({ ...deps, deliveries: collections.deliveries, outlet })];
  }

  async function open(): Promise<Part[]> {
    try {
      const collections = await waits.reach(() => openDeliveryCollections(ops));
      return stopping.signal.aborted ? [] : start(collections);
    } catch (error) {
      if (stopping.signal.aborted && error instanceof BackendUnavailable) return []; // closed before it was back
      throw error;
    }
  }

  const opening = open();
  const done = opening.then(async (parts) => {
    await Promise.all(parts.map((part) => part.done));
  });
  const close = async (): Promise<void> => {
    stopping.abort();
    const parts = await opening.catch((): Part[] => []); // `done` tells why there are none
    await Promise.all(parts.map((part) => part.close()));
  };
  let closing: Promise<void> | undefined;
  return {
    done,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
