import { randomUUID } from 'node:crypto';
import { createEventStoreDbEventStore } from '../../../src/adapters/eventstoredb/event-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import type { EventBatch, EventStore } from '../../../src/ports/event-store.ts';
import { contractCodec, type EventStoreHarness } from '../../contract/event-store/harness.ts';
import { createChildProcesses } from '../../spec/processes/child-processes.ts';
import { eventually } from '../../spec/eventually.ts';
import { prefixStreams } from './prefix-streams.ts';

/** The server that the suite runs against. */
export interface TestServer {
  readonly url: string;
  /** True when it was emptied; false when the suite keeps to a corner of it. */
  readonly empty: () => Promise<boolean>;
  readonly dropConnections: () => Promise<void>;
}

/** Each back end is the one server, emptied, or a corner of it where nobody has written. */
export function createEventStoreDbHarness(server: () => TestServer): EventStoreHarness {
  const children = createChildProcesses();
  let stores: EventStore[] = [];
  const follows = new Set<{ readonly store: EventStore; position: number }>();

  const open = async (): Promise<EventStore> => {
    const { url } = server();
    const options = { url, codec: contractCodec, clock: systemClock, random: systemRandom };
    const store = await createEventStoreDbEventStore(options);
    stores.push(store);
    return {
      ...store,
      subscribe: (subscribeOptions) => {
        const following = { store, position: subscribeOptions.afterPosition };
        const onBatch = async (batch: EventBatch) => {
          await subscribeOptions.onBatch(batch);
          following.position = batch.position;
        };
        const subscription = store.subscribe({ ...subscribeOptions, onBatch });
        const forget = () => follows.delete(following);
        follows.add(following);
        subscription.done.then(forget, forget);
        return subscription;
      },
    };
  };
  /** A subscription that is just coming back has no connection that could be cut. */
  const followed = async (): Promise<void> => {
    for (const following of follows) {
      const head = await following.store.head();
      await eventually('the subscriptions follow', () => following.position >= head);
    }
  };
  /** Opens stores over the same empty back end. */
  const newBackend = async (): Promise<{ prefix: string; open: () => Promise<EventStore> }> => {
    if (await server().empty()) return { prefix: '', open };
    const prefix = `test${randomUUID().replaceAll('-', '')}`;
    const afterPosition = await (await open()).head();
    return { prefix, open: async () => prefixStreams(await open(), { prefix, afterPosition }) };
  };

  return {
    make: async () => (await newBackend()).open(),
    makeTwoOnOneBackend: async () => {
      const backend = await newBackend();
      return [await backend.open(), await backend.open()];
    },
    settle: async () => {}, // an append is answered when every reader of the server sees it
    interrupt: async () => {
      await followed();
      await server().dropConnections();
    },
    spawnWriter: async () => {
      const backend = await newBackend();
      const { child, lines } = children.run(import.meta.url, 'event-writer-child', server().url, backend.prefix);
      const acknowledged: string[] = [];
      lines.on('line', (id) => acknowledged.push(id));
      return { acknowledged: () => acknowledged, kill: () => children.kill(child), reopen: backend.open };
    },
    close: async () => {
      await children.killAll();
      await Promise.all(stores.map((store) => store.close()));
      stores = [];
    },
  };
}
