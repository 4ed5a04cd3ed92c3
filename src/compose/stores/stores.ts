import type { MessagePort } from 'node:worker_threads';
import { createEmbeddedEventStore } from '../../adapters/embedded/event-store/event-store.ts';
import {
  type EventWriterClient,
  joinEventWriter,
  startEventWriter,
} from '../../adapters/embedded/event-store/writer-client.ts';
import { createEmbeddedMessageBus } from '../../adapters/embedded/message-bus/message-bus.ts';
import { createEmbeddedOperationalStore } from '../../adapters/embedded/operational-store/operational-store.ts';
import {
  joinOpsWriter,
  type OpsWriterClient,
  type SharedOpsWriter,
  startOpsWriter,
} from '../../adapters/embedded/operational-store/writer-client.ts';
import { createEmbeddedSearchIndexes } from '../../adapters/embedded/search-index/search-indexes.ts';
import { createEmbeddedVectorStore } from '../../adapters/embedded/search-index/vector-store.ts';
import { createEmbeddedReadModels } from '../../adapters/embedded/read-models/read-models.ts';
import { prefixedBus } from '../../adapters/dispatch/prefixed-bus.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import { createMadeOnce } from '../../concurrency/made-once.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import { upcasters } from '../../domain/upcasters.ts';
import { createEventCodec, type EventCodec } from '../../kernel/event-codec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { MessageBus } from '../../ports/message-bus.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import type { SearchIndexes, VectorStore } from '../../ports/search-index.ts';
import { checkIdentity, readIdentity } from '../../runtime/copying/store-identity.ts';
import { type KeepOpen, openInTurn } from './open-in-turn.ts';
import { openReadModels } from './open-read-models.ts';
import { openSearchPlaceOf } from './open-search-place.ts';

export interface Stores {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly ops: OperationalStore;
  /** For another thread on the same data folder; null when there is no such writer here. */
  readonly shareOpsWriter: () => SharedOpsWriter | null;
  /** The same for events. */
  readonly shareEventWriter: () => MessagePort | null;
  /** Opened when somebody searches or scrubs. */
  readonly openSearch: () => Promise<SearchIndexes>;
  /** Of texts that were embedded, for whoever fills the search index. */
  readonly openVectors: () => Promise<VectorStore>;
  /** Opened when somebody needs it: most processes of a cluster do not. */
  readonly openBus: () => Promise<MessageBus>;
  readonly close: () => Promise<void>;
}

export interface StoresOptions extends BackendSettings {
  readonly clock: Clock;
  /** The product's own when absent, which knows every old version of an event. */
  readonly codec?: EventCodec;
  readonly log?: Log;
  /** Whether it is asked for what is near: who only writes the search index, or scrubs it, holds no vectors in memory. */
  readonly searches?: boolean;
  /** Whoever only looks lays no claim to search indexes that are nobody's yet, and may see those of others. */
  readonly onlyLooks?: boolean;
  /** A writer thread died: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** For each try of a call to a server: a request must not hang longer than its caller waits. */
const callMs = 3_000;

// The drivers are loaded only where they are used: together they cost a start half a second and 50 MB.
const mongodb = async () => ({
  ...(await import('../../adapters/mongodb/connection.ts')),
  ...(await import('../../adapters/mongodb/operational-store/operational-store.ts')),
  ...(await import('../../adapters/mongodb/read-models/read-models.ts')),
  ...(await import('../../adapters/mongodb/vector-store.ts')),
});

/** An event store by itself, for whoever needs no other store. */
export async function openEventStore(
  options: StoresOptions,
  readonly: boolean,
  writer?: EventWriterClient,
): Promise<EventStore> {
  const { dataDir: folder, eventStoreUrl: url, clock, onFatal } = options;
  const { codec = createEventCodec(upcasters) } = options;
  if (url === undefined) {
    return createEmbeddedEventStore({ folder, codec, onFatal, readonly, ...(writer && { writer }) });
  }
  const { createEventStoreDbEventStore } = await import('../../adapters/eventstoredb/event-store.ts');
  return createEventStoreDbEventStore({ url, codec, clock, random: systemRandom, timeoutMs: callMs });
}

async function openBus(options: StoresOptions, writer: OpsWriterClient | undefined): Promise<MessageBus> {
  const { dataDir: folder, kafkaBrokers: brokers, topicPrefix = '', kafkaSessionMs: sessionMs } = options;
  const { clock, log, onFatal } = options;
  if (brokers === undefined) return createEmbeddedMessageBus({ folder, clock, onFatal, ...(writer && { writer }) });
  const { createKafkaMessageBus } = await import('../../adapters/kafka/message-bus.ts');
  return prefixedBus(await createKafkaMessageBus({ brokers, clock, log, sessionMs }), topicPrefix);
}

async function openDocuments(options: StoresOptions, writer: OpsWriterClient | undefined, keep: KeepOpen) {
  const { dataDir: folder, mongodbUrl: url, clock, onFatal } = options;
  if (url === undefined) {
    return {
      readModels: await keep(createEmbeddedReadModels({ folder, clock })),
      ops: await keep(createEmbeddedOperationalStore({ folder, clock, onFatal, ...(writer && { writer }) })),
    };
  }
  const { openMongo, createMongoReadModels, createMongoOperationalStore } = await mongodb();
  const connection = await keep(openMongo({ url, appName: 'registry' }));
  return {
    readModels: await keep(createMongoReadModels({ connection, clock })),
    ops: await keep(createMongoOperationalStore({ connection, clock })),
  };
}

async function openSearchIndexes(options: StoresOptions): Promise<SearchIndexes> {
  const { dataDir: folder, clock, log, searches = false } = options;
  const place = openSearchPlaceOf(options);
  if (place === null) return createEmbeddedSearchIndexes({ folder, clock, holdsVectors: searches });
  const { createOpenSearchIndexes } = await import('../../adapters/opensearch/search-indexes.ts');
  return createOpenSearchIndexes({ ...place, clock, log });
}

/** Those of another registry are refused, once their server can be asked. */
async function openOwnSearchIndexes(options: StoresOptions, eventStore: EventStore): Promise<SearchIndexes> {
  const indexes = await openSearchIndexes(options);
  if (options.onlyLooks) return indexes;
  try {
    const registryId = await readIdentity(eventStore);
    if (registryId !== null) await checkIdentity(registryId, { 'search indexes': indexes });
    return indexes;
  } catch (error) {
    await indexes.close();
    throw error;
  }
}

/** With the documents, because several machines may feed the index in turn. */
async function openVectorStore({ dataDir, mongodbUrl: url }: StoresOptions): Promise<VectorStore> {
  if (url === undefined) return createEmbeddedVectorStore(dataDir);
  const { openMongo, createMongoVectorStore } = await mongodb();
  return openInTurn(async (keep) => {
    const connection = await keep(openMongo({ url, appName: 'registry vectors' }));
    return keep(createMongoVectorStore(connection));
  });
}

/** For the projector's thread: it reads the events that others append, and writes read models. */
export const openProjectorStores = (
  options: StoresOptions,
): Promise<Pick<Stores, 'eventStore' | 'readModels' | 'close'>> =>
  openInTurn(async (keep) => {
    const eventStore = await keep(openEventStore(options, true));
    const { readModels } = await keep(openReadModels({ ...options, appName: 'registry projector' }));
    return { eventStore, readModels };
  });

async function openDocumentsAndBus(
  options: StoresOptions,
  { eventStore, writer }: { readonly eventStore: EventStore; readonly writer: OpsWriterClient | undefined },
  keep: KeepOpen,
) {
  const documents = await openDocuments(options, writer, keep);
  return {
    ...documents,
    openBus: createMadeOnce(() => keep(openBus(options, writer))),
    openSearch: createMadeOnce(() => keep(openOwnSearchIndexes(options, eventStore))),
    openVectors: createMadeOnce(() => keep(openVectorStore(options))),
  };
}

/** For the thread of relay and deliverer: it reads the events that others append, and writes by the writer of others. */
export const openDeliveryStores = (
  options: StoresOptions,
  shared: SharedOpsWriter | null,
): Promise<Omit<Stores, 'shareOpsWriter' | 'shareEventWriter'>> =>
  openInTurn(async (keep) => {
    const eventStore = await keep(openEventStore(options, true));
    const writer = shared === null ? undefined : await keep(joinOpsWriter(shared));
    return { eventStore, ...(await openDocumentsAndBus(options, { eventStore, writer }, keep)) };
  });

/** As they are handed over to a thread; each is null where the store lies elsewhere. */
export interface SharedWriters {
  readonly events: MessagePort | null;
  readonly ops: SharedOpsWriter | null;
}

/** For the thread of the fetcher: it appends and writes by the writers of others. */
export const openFetchingStores = (
  options: StoresOptions,
  shared: SharedWriters,
): Promise<Pick<Stores, 'eventStore' | 'readModels' | 'ops' | 'openSearch' | 'close'>> =>
  openInTurn(async (keep) => {
    const eventWriter = shared.events === null ? undefined : await keep(joinEventWriter(shared.events));
    const eventStore = await keep(openEventStore(options, false, eventWriter));
    const opsWriter = shared.ops === null ? undefined : await keep(joinOpsWriter(shared.ops));
    const documents = await openDocuments(options, opsWriter, keep);
    const openSearch = createMadeOnce(() => keep(openOwnSearchIndexes(options, eventStore)));
    return { eventStore, ...documents, openSearch };
  });

/** What the search index is fed with, and what is known of its texts. */
export interface FeedingStores extends Pick<Stores, 'eventStore' | 'readModels' | 'ops' | 'close'> {
  /** Once: its server may be away longer than the others. */
  readonly openIndexes: () => Promise<SearchIndexes>;
  readonly vectors: VectorStore;
}

/** For the thread of search: it reads events and read models, and writes the index. */
export const openFeedingStores = (options: StoresOptions, shared: SharedOpsWriter | null): Promise<FeedingStores> =>
  openInTurn(async (keep) => {
    const eventStore = await keep(openEventStore(options, true));
    const opsWriter = shared === null ? undefined : await keep(joinOpsWriter(shared));
    const documents = await openDocuments(options, opsWriter, keep);
    const vectors = await keep(openVectorStore(options));
    const openIndexes = createMadeOnce(() => keep(openOwnSearchIndexes(options, eventStore)));
    return { eventStore, ...documents, vectors, openIndexes };
  });

export const openAllStores = (options: StoresOptions): Promise<Stores> =>
  openInTurn(async (keep) => {
    const { dataDir: folder, eventStoreUrl, mongodbUrl, onFatal } = options;
    // Each file has one writer in a process, which the stores of every thread share. One after the other: where the events
    // are refused, nothing else is made in that folder.
    const eventWriter = eventStoreUrl === undefined ? await keep(startEventWriter({ folder, onFatal })) : undefined;
    const eventStore = await keep(openEventStore(options, false, eventWriter));
    const writer = mongodbUrl === undefined ? await keep(startOpsWriter({ folder, onFatal })) : undefined;
    const others = await openDocumentsAndBus(options, { eventStore, writer }, keep);
    return {
      eventStore,
      ...others,
      shareOpsWriter: () => writer?.share() ?? null,
      shareEventWriter: () => eventWriter?.share() ?? null,
    };
  });
