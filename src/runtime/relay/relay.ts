import type { Clock } from '../../ports/clock.ts';
import type { EventBatch, EventStore } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { MessageBus } from '../../ports/message-bus.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { type LeasedFollower, followWithLease } from '../resilience/follow-with-lease.ts';
import { acquireLeases } from '../resilience/held-leases.ts';
import { type OpenedWebhooks, openWebhooks } from './open-webhooks.ts';
import { createReadModelsGate, type ReadModelsGateDeps } from './read-models-gate.ts';
import { lastAnnouncedAt, relayedTypes, relayStep } from './relay-batch.ts';
import { relayCheckpointChange } from './relay-checkpoint.ts';
import { webhooksGeneration } from './relay-webhooks.ts';
import { storedWebhookChanges } from './stored-webhooks.ts';
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
  /** Of the stored webhooks; the one of the code when absent. */
  readonly generation?: number;
}

const leaseTtlMs = 10_000;
const batchSize = 500;

/** Where nothing was to be sent the checkpoint is saved this rarely: reading that again takes a moment only. */
const checkpointEveryMs = 10_000;

interface Handling {
  readonly opened: OpenedWebhooks;
  readonly lease: Lease;
  readonly isCheckpointDue: boolean;
  readonly over: AbortSignal;
}

/**
 * Brings the events to the bus: what the registry publishes, and one message for each webhook that an announcement
 * concerns. First it produces, then it saves how far it is, so that a crash repeats messages but loses none; who gets
 * an announcement is decided as of its place in the log, however late that is.
 */
export function startRelay(deps: RelayDeps): LeasedFollower {
  const { store, ops, clock, log, holder, busId, generation = webhooksGeneration } = deps;
  const passReadModels = createReadModelsGate(deps);

  /**
   * Step by step: produces first and saves then; where nothing was to be sent, it saves only if that is due. Ends early
   * when it is over. Answers whether anything was saved.
   */
  async function handle(
    { events, position: end }: EventBatch,
    { opened, lease, isCheckpointDue, over }: Handling,
  ): Promise<boolean> {
    const { deliverSinceMs } = opened;
    let isSaved = false;
    let rest = events;
    do {
      const { taken, messages } = await relayStep(deps, opened, rest);
      const position = taken === rest.length ? end : rest[taken - 1]!.position;
      const changes = opened.webhooks.takeChanges();
      if (messages > 0 || changes.length > 0 || isCheckpointDue) {
        const checkpoint = relayCheckpointChange({ position, generation, busId, deliverSinceMs });
        await transactLeased(ops, lease, [...storedWebhookChanges(generation, changes), checkpoint]);
        isSaved = true;
      }
      rest = rest.slice(taken);
    } while (rest.length > 0 && !over.aborted);
    return isSaved;
  }

  return followWithLease({
    store,
    clock,
    log,
    what: 'relaying',
    acquire: () =>
      acquireLeases([{ leases: ops.leases, name: 'relay', what: 'relaying' }], { holder, ttlMs: leaseTtlMs, clock }),
    open: async ({ all: [lease] }, stop) => {
      const opened = await openWebhooks({ ...deps, lease: lease!, generation, stop });
      if (opened === null) return null;
      let savedMs = clock.nowMs();
      return {
        from: opened.position,
        types: relayedTypes,
        batchSize,
        onBatch: async (batch, over) => {
          const announcedAt = lastAnnouncedAt(batch.events);
          if (announcedAt !== null) await passReadModels(announcedAt, over);
          if (over.aborted) return;
          const isCheckpointDue = clock.nowMs() - savedMs >= checkpointEveryMs;
          if (await handle(batch, { opened, lease: lease!, isCheckpointDue, over })) savedMs = clock.nowMs();
        },
      };
    },
  });
}
