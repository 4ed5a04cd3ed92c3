import type { Stores } from '../compose/stores/stores.ts';
import type { EventStore } from '../ports/event-store.ts';
import { noGeneration, readRelayCheckpoint, relayCheckpointChange } from '../runtime/relay/relay-checkpoint.ts';

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

/**
 * The relay of the copy goes on where that of the original stopped, on whatever bus it finds: what lay on the old one and
 * was not begun it publishes again.
 */
export async function placeRelay(source: Stores, target: Stores): Promise<void> {
  const checkpoint = await readRelayCheckpoint(source.ops);
  if (checkpoint === null) return; // none has ever run, and the first one begins at the first event
  if ((await readRelayCheckpoint(target.ops)) !== null) return; // placed before, and the service may have run since
  const position = await samePlace(source.eventStore, target.eventStore, checkpoint.position);
  await target.ops.transact([relayCheckpointChange({ ...checkpoint, position, generation: noGeneration })]);
}
