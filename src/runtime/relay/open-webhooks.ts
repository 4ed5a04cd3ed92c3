import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { goBackOnAnotherBus, keptOnBusMs } from './go-back.ts';
import { relayCheckpointChange } from './relay-checkpoint.ts';
import { createRelayWebhooks, isWebhookEvent, type RelayWebhooks, webhookTypes } from './relay-webhooks.ts';
import { loadWebhooks, writeWebhooks } from './stored-webhooks.ts';
import { transactLeased } from './transact-leased.ts';

const batchSize = 500;

export interface OpenedWebhooks {
  /** Where the relay goes on. */
  readonly position: number;
  /** As of that position. */
  readonly webhooks: RelayWebhooks;
  /** What was announced earlier is delivered to nobody. */
  readonly deliverSinceMs: number;
}

/** Null when it was stopped. */
async function foldUpTo(store: EventStore, upTo: number, stop: AbortSignal): Promise<RelayWebhooks | null> {
  const webhooks = createRelayWebhooks();
  for (let afterPosition = 0; afterPosition < upTo; ) {
    if (stop.aborted) return null;
    const { events, position } = await store.readAll({ afterPosition, limit: batchSize, types: webhookTypes });
    for (const event of events) {
      if (event.position <= upTo && isWebhookEvent(event)) webhooks.apply(event);
    }
    if (position <= afterPosition) break; // nothing is left to read: the last events up to there have been truncated
    afterPosition = position;
  }
  return webhooks;
}

/**
 * The webhooks as of the checkpoint. If they are stored in another generation than is asked for, or not at all,
 * they are made anew from the events and nothing is published. Only the checkpoint says that a generation is complete:
 * whoever is killed before it does begins again. Null when it was stopped.
 */
export async function openWebhooks(deps: {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly lease: Lease;
  readonly generation: number;
  readonly busId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly stop: AbortSignal;
}): Promise<OpenedWebhooks | null> {
  const { store, ops, lease, generation, busId, clock, stop } = deps;
  const checkpoint = await goBackOnAnotherBus(deps);
  const position = checkpoint?.position ?? 0;
  // Without a checkpoint the documents of deliveries may have gone with it, and only they tell what was sent long ago.
  const deliverSinceMs = checkpoint?.deliverSinceMs ?? clock.nowMs() - keptOnBusMs;
  const stored = await loadWebhooks(ops, lease, checkpoint?.generation ?? null);
  if (checkpoint?.generation === generation) {
    return { position, webhooks: createRelayWebhooks(stored), deliverSinceMs };
  }

  const webhooks = await foldUpTo(store, position, stop);
  if (webhooks === null) return null;
  await writeWebhooks(ops, lease, generation, webhooks.takeChanges());
  await transactLeased(ops, lease, [relayCheckpointChange({ position, generation, busId, deliverSinceMs })]);
  await loadWebhooks(ops, lease, generation); // for what it removes: the generation before
  return { position, webhooks, deliverSinceMs };
}
