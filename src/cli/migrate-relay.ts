import type { Stores } from '../compose-stores.ts';
import { deliveriesTopic, delivererGroup } from '../delivery/topics.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { EventStore } from '../ports/event-store.ts';
import { readRelayCheckpoint, relayCheckpointChange } from '../runtime/relay/relay-checkpoint.ts';

/**
 * What lies on the embedded bus stays behind. Deliveries that were tried once are known by their documents, which move
 * along; those that nobody has begun are known to the bus only, so they must have been begun.
 */
export async function requireBegun({ bus }: Stores): Promise<void> {
  if (!(await bus.topics()).includes(deliveriesTopic)) return;
  const progress = await bus.progress(delivererGroup, [deliveriesTopic]);
  const waiting = progress.reduce((sum, partition) => sum + partition.waiting, 0);
  if (waiting === 0) return;
  throw new StartupError(
    `${waiting} webhook deliveries have not been begun yet. Start the service on the data folder, wait until ` +
      '`registry topics` shows none waiting in webhooks.deliveries, and stop it.',
  );
}

const batchSize = 500;

/**
 * Where the copy is when it has seen exactly what the original has seen at that position: at the event before the next
 * one. A server takes only positions of events, so the log is read up to there.
 */
async function samePlace(from: EventStore, to: EventStore, position: number): Promise<number> {
  const { events } = await from.readAll({ afterPosition: position, limit: 1 });
  const [next] = events;
  if (next === undefined) return to.head();
  let before = 0;
  for (;;) {
    const batch = await to.readAll({ afterPosition: before, limit: batchSize });
    for (const { id, stream, position: at } of batch.events) {
      if (id === next.id && stream.name === next.stream.name) return before;
      before = at;
    }
    if (batch.events.length === 0) throw new Error(`the copy has not ${next.stream.name} version ${next.version}`);
  }
}

/** No generation of the code: so the relay makes its subscriptions anew from the copied events, and publishes nothing. */
const toBeMadeAnew = 0;

/** The relay of the copy goes on where that of the original stopped. */
export async function placeRelay(source: Stores, target: Stores): Promise<void> {
  const checkpoint = await readRelayCheckpoint(source.ops);
  if (checkpoint === null) return; // none has ever run, and the first one begins at the first event
  if ((await readRelayCheckpoint(target.ops)) !== null) return; // placed before, and the service may have run since
  const position = await samePlace(source.eventStore, target.eventStore, checkpoint.position);
  await target.ops.transact([relayCheckpointChange({ position, generation: toBeMadeAnew })]);
}
