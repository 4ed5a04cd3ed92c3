import { createEventStoreDbEventStore } from '../../../src/adapters/eventstoredb/event-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { appendForever } from '../../contract/event-store/append-forever.ts';
import { contractCodec } from '../../contract/event-store/harness.ts';
import { prefixStreams } from './prefix-streams.ts';

const [url, prefix = ''] = process.argv.slice(2);
if (url === undefined) throw new Error('Name the server.');

const store = await createEventStoreDbEventStore({
  url,
  codec: contractCodec,
  clock: systemClock,
  random: systemRandom,
});
await appendForever(prefixStreams(store, { prefix, afterPosition: 0 }), (id) => process.stdout.write(`${id}\n`));
