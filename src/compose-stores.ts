import { createEmbeddedEventStore } from './adapters/embedded/event-store.ts';
import { createEmbeddedOperationalStore } from './adapters/embedded/operational-store.ts';
import { createEmbeddedReadModels } from './adapters/embedded/read-models.ts';
import { systemRandom } from './adapters/system/random.ts';
import { closeInTurn } from './close-in-turn.ts';
import { upcasters } from './domain/upcasters.ts';
import { createEventCodec, type EventCodec } from './kernel/event-codec.ts';
import type { Clock } from './ports/clock.ts';
import type { EventStore } from './ports/event-store.ts';
import type { OperationalStore } from './ports/operational-store.ts';
import type { ReadModels } from './ports/read-models.ts';

/** Each port has its own back end; one that is not named is embedded, in the data folder. */
export interface BackendSettings {
  readonly dataDir: string;
  readonly eventStoreUrl?: string | undefined;
  /** Appends through one shared stream of calls: faster, with fewer ways to find out what became of one. */
  readonly batchAppend?: boolean | undefined;
  /** Read models and operational store. */
  readonly mongodbUrl?: string | undefined;
}

export interface Stores {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly ops: OperationalStore;
  readonly close: () => Promise<void>;
}

export interface StoresOptions extends BackendSettings {
  readonly clock: Clock;
  /** The product's own when absent, which knows every old version of an event. */
  readonly codec?: EventCodec;
  /** A writer thread died: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** For each try of a call to a server: a request must not hang longer than its caller waits. */
const callMs = 3_000;

// The drivers are loaded only where they are used: together they cost a start half a second and 50 MB.
const mongodb = async () => ({
  ...(await import('./adapters/mongodb/connection.ts')),
  ...(await import('./adapters/mongodb/operational-store.ts')),
  ...(await import('./adapters/mongodb/read-models.ts')),
});

async function openEventStore(options: StoresOptions, readonly: boolean): Promise<EventStore> {
  const { dataDir: folder, eventStoreUrl: url, batchAppend = false, clock, onFatal } = options;
  const { codec = createEventCodec(upcasters) } = options;
  if (url === undefined) return createEmbeddedEventStore({ folder, codec, onFatal, readonly });
  const { createEventStoreDbEventStore } = await import('./adapters/eventstoredb/event-store.ts');
  return createEventStoreDbEventStore({ url, codec, clock, random: systemRandom, batchAppend, timeoutMs: callMs });
}

/** Closes what was opened before when the next one does not open. */
async function openInTurn<T>(open: (closeLater: (close: () => Promise<void>) => void) => Promise<T>): Promise<T> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await open((close) => closers.unshift(close));
  } catch (error) {
    await closeInTurn(closers);
    throw error;
  }
}

/** For the projector's thread: it reads the events that others append, and writes read models. */
export const openProjectorStores = (options: StoresOptions): Promise<Omit<Stores, 'ops'>> =>
  openInTurn(async (closeLater) => {
    const { dataDir: folder, mongodbUrl: url, clock } = options;
    const eventStore = await openEventStore(options, true);
    closeLater(eventStore.close);
    if (url === undefined) {
      const readModels = await createEmbeddedReadModels({ folder, clock });
      return { eventStore, readModels, close: () => closeInTurn([readModels.close, eventStore.close]) };
    }
    const { openMongo, createMongoReadModels } = await mongodb();
    const connection = await openMongo({ url, appName: 'registry projector' });
    const readModels = createMongoReadModels({ connection, clock });
    return { eventStore, readModels, close: () => closeInTurn([readModels.close, connection.close, eventStore.close]) };
  });

export const openAllStores = (options: StoresOptions): Promise<Stores> =>
  openInTurn(async (closeLater) => {
    const { dataDir: folder, mongodbUrl: url, clock, onFatal } = options;
    const eventStore = await openEventStore(options, false);
    closeLater(eventStore.close);
    if (url === undefined) {
      const readModels = await createEmbeddedReadModels({ folder, clock });
      closeLater(readModels.close);
      const ops = await createEmbeddedOperationalStore({ folder, clock, onFatal });
      return {
        eventStore,
        readModels,
        ops,
        close: () => closeInTurn([ops.close, readModels.close, eventStore.close]),
      };
    }
    const { openMongo, createMongoReadModels, createMongoOperationalStore } = await mongodb();
    const connection = await openMongo({ url, appName: 'registry' });
    closeLater(connection.close);
    const readModels = createMongoReadModels({ connection, clock });
    const ops = createMongoOperationalStore({ connection, clock });
    return {
      eventStore,
      readModels,
      ops,
      close: () => closeInTurn([ops.close, readModels.close, connection.close, eventStore.close]),
    };
  });
