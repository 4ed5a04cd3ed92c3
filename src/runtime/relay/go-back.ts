import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { noGeneration, readRelayCheckpoint, relayCheckpointChange, type RelayCheckpoint } from './relay-checkpoint.ts';
import { transactLeased } from './transact-leased.ts';

const batchSize = 500;

/** As long as `webhooks.deliveries` keeps a message: what is older would not be on the other bus any more either. */
export const keptOnBusMs = 7 * 24 * 3_600_000;

/** The last event before the first announcement of that time; a server takes only positions of events. */
async function positionBefore(store: EventStore, sinceMs: number, upTo: number): Promise<number> {
  let before = 0;
  for (;;) {
    const { events } = await store.readAll({ afterPosition: before, limit: batchSize, types: ['ReleaseAnnounced.v1'] });
    for (const { position, metadata } of events) {
      if (position > upTo) return upTo;
      if (Date.parse(metadata.recordedAt) >= sinceMs) return before;
      before = position;
    }
    if (events.length === 0) return upTo;
  }
}

/**
 * On another bus than before (another cluster, Kafka instead of the data folder, another machine's folder) nobody finds
 * the deliveries that lay on the old one and were not begun. So what was announced while a message is kept is published
 * once more. What was begun has a document, and is not sent again.
 */
export async function goBackOnAnotherBus(deps: {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly lease: Lease;
  readonly busId: string;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<RelayCheckpoint | null> {
  const { store, ops, lease, busId, clock, log } = deps;
  const checkpoint = await readRelayCheckpoint(ops);
  if (checkpoint === null || checkpoint.busId === busId) return checkpoint;
  const position = await positionBefore(store, clock.nowMs() - keptOnBusMs, checkpoint.position);
  const moved: RelayCheckpoint = { ...checkpoint, position, generation: noGeneration, busId };
  await transactLeased(ops, lease, [relayCheckpointChange(moved)]);
  log.warn('the message bus is another one than before: what was announced in the last seven days is published again', {
    from: position,
    to: checkpoint.position,
  });
  return moved;
}
