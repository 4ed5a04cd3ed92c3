import { once } from 'node:events';
import { createEventStoreDbEventStore } from '../../../src/adapters/eventstoredb/event-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { contractCodec } from '../../contract/event-store/harness.ts';
import { newEvents } from '../../spec/events/events.ts';

// Opens a store, uses and closes it. Then nothing must keep this process.
const [url, server] = process.argv.slice(2);
if (url === undefined) throw new Error('Name the server.');

const store = await createEventStoreDbEventStore({
  url,
  codec: contractCodec,
  clock: systemClock,
  random: systemRandom,
});
const seen = new EventTarget();
const subscription = store.subscribe({
  afterPosition: 0,
  batchSize: 10,
  onBatch: async () => void seen.dispatchEvent(new Event('batch')),
  onDrop: () => void seen.dispatchEvent(new Event('drop')),
});
if (server === 'absent') {
  await once(seen, 'drop');
} else {
  const arrived = once(seen, 'batch');
  await store.append({ stream: `org-${process.pid}`, expectedVersion: 0, events: newEvents(2) });
  await store.readMany(['org-a', `org-${process.pid}`]);
  await store.truncate(`org-${process.pid}`, 2);
  await arrived;
}
await store.close();
await subscription.done;
