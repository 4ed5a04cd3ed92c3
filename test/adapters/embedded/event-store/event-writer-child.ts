import { createEmbeddedEventStore } from '../../../../src/adapters/embedded/event-store/event-store.ts';
import { appendForever } from '../../../contract/event-store/append-forever.ts';
import { contractCodec } from '../../../contract/event-store/harness.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the data folder.');

const store = await createEmbeddedEventStore({
  folder,
  codec: contractCodec,
  onFatal: (error) => {
    throw error;
  },
});
await appendForever(store, (id) => process.stdout.write(`${id}\n`));
