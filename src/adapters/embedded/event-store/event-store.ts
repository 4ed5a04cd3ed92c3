import { setImmediate as nextTurn } from 'node:timers/promises';
import { createMutex } from '../../../concurrency/mutex.ts';
import type { RecordedEvent } from '../../../kernel/event.ts';
import type { EventCodec } from '../../../kernel/event-codec.ts';
import {
  batchBytesMax,
  type EventBatch,
  type EventStore,
  type ReadAllOptions,
  type ReadOptions,
  type StreamSlice,
  type Subscription,
} from '../../../ports/event-store.ts';
import { encodeAppend, encodeAppends } from '../../encode-append.ts';
import { createEventFollower } from '../sqlite/file-follower.ts';
import { makeFolder } from '../sqlite/make-folder.ts';
import { createRowTurns } from '../sqlite/row-turns.ts';
import { createEventReader, type EventReader } from './reader.ts';
import { beginReading, isRead } from './streams-reading.ts';
import { startSubscription } from './subscription.ts';
import { type EventWriterClient, eventFileOf, startEventWriter } from './writer-client.ts';

export interface EmbeddedEventStoreOptions {
  /** The data folder; it is made when it is not there. */
  readonly folder: string;
  readonly codec: EventCodec;
  /** For a thread beside the one that writes: it starts no writer, and the file must exist. */
  readonly readonly?: boolean;
  /** The one of this process, which others use too and who started it ends; without it the store starts its own. */
  readonly writer?: EventWriterClient;
  /** The writer thread died: nothing can be appended any more, so the process should end. */
  readonly onFatal: (error: Error) => void;
}

export interface EmbeddedEventStore extends EventStore {
  /** Lets go of the file and opens it again; subscriptions go on where they were. */
  readonly reopen: () => Promise<void>;
}

/** Positions that one step passes over: a few milliseconds of SQLite. */
const positionsPerStep = 2000;

function requireCount(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${name} cannot be ${value}.`);
}

/** A writer without a reader is of no use: it must not be left running. */
async function openReader(file: string, codec: EventCodec, writer: EventWriterClient | null): Promise<EventReader> {
  try {
    return createEventReader(file, codec);
  } catch (error) {
    await writer?.close();
    throw error;
  }
}

/** Appends go to one writer thread; reads are short and happen on the calling thread, which they never hold for long. */
export async function createEmbeddedEventStore(options: EmbeddedEventStoreOptions): Promise<EmbeddedEventStore> {
  const { folder, codec, onFatal, readonly = false } = options;
  makeFolder(folder);
  const { file, channel } = eventFileOf(folder);
  const ownWriter = readonly || options.writer !== undefined ? null : await startEventWriter({ folder, onFatal });
  const usedWriter = options.writer ?? ownWriter;
  let reader = await openReader(file, codec, ownWriter);
  let connection = 1;
  let closing: Promise<void> | undefined;
  const follower = createEventFollower(channel, () => reader.dataVersion());
  const subscriptions = new Set<Subscription>();

  const requireOpen = (): void => {
    if (closing !== undefined) throw new Error('The event store is closed.');
  };
  const writer = (): EventWriterClient => {
    requireOpen();
    if (usedWriter === null) throw new Error('This event store was opened for reading only.');
    return usedWriter;
  };

  const readAll = async ({ afterPosition, limit, types }: ReadAllOptions): Promise<EventBatch> => {
    requireCount('afterPosition', afterPosition, 0);
    requireCount('limit', limit, 1);
    const storedTypes = types === undefined ? undefined : codec.storedTypes(types);
    const events: RecordedEvent[] = [];
    const head = reader.head(); // read first: every event up to it is there to be seen
    let position = afterPosition;
    let chars = 0;
    while (position < head && events.length < limit && chars < batchBytesMax) {
      await nextTurn(); // also for the first: who reads batch after batch would let nobody else have a turn
      const upTo = Math.min(head, position + positionsPerStep);
      const step = reader.step({ after: position, upTo, limit: limit - events.length, types: storedTypes }, events);
      position = step.position;
      chars += step.chars;
    }
    return { events, position };
  };

  const turns = createRowTurns();
  const steps = createMutex();
  const readings = new Set<Promise<unknown>>();
  /** One step at a time, whoever asks: those who ask together would each take a whole step before others have a turn. */
  const readStreams = (streams: readonly string[], readOptions?: ReadOptions): Promise<StreamSlice[]> => {
    const reading = beginReading(streams, readOptions);
    const readOn = async (): Promise<void> => {
      const { rows, chars } = reader.readOn(reading);
      await turns(undefined, rows, chars);
    };
    const readAllSteps = async (): Promise<StreamSlice[]> => {
      while (!isRead(reading)) await steps.run(readOn);
      return reading.slices;
    };
    const read = readAllSteps();
    const forget = () => readings.delete(read);
    readings.add(read);
    read.then(forget, forget);
    return read;
  };

  const truncateMany: EventStore['truncateMany'] = async (truncations) => {
    for (const { beforeVersion } of truncations) requireCount('beforeVersion', beforeVersion, 1);
    if (truncations.length > 0) await writer().call('truncate', truncations);
  };

  const close = async (): Promise<void> => {
    await Promise.all([...subscriptions].map((subscription) => subscription.close()));
    follower.close();
    await Promise.allSettled(readings);
    reader.close();
    await ownWriter?.close(); // last, so that it is the one to empty and remove the log
  };

  return {
    append: async (append) => {
      const [outcome] = await writer().call('append', [encodeAppend(codec, append)]);
      if (outcome === undefined) throw new Error('The event writer gave no outcome.');
      return outcome;
    },
    appendMany: async (appends) => writer().call('append', encodeAppends(codec, appends)),
    read: async (stream, readOptions) => {
      requireOpen();
      if (readOptions?.fromVersion !== undefined) requireCount('fromVersion', readOptions.fromVersion, 0);
      if (readOptions?.limit !== undefined) requireCount('limit', readOptions.limit, 1);
      const [slice] = await readStreams([stream], readOptions);
      return slice!;
    },
    readMany: async (streams, readOptions) => {
      requireOpen();
      if (readOptions?.limit !== undefined) requireCount('limit', readOptions.limit, 1);
      return readStreams(streams, readOptions);
    },
    readAll: async (readOptions) => {
      requireOpen();
      return readAll(readOptions);
    },
    subscribe: (subscribeOptions) => {
      requireOpen();
      const subscription = startSubscription({ readAll, follower, connection: () => connection }, subscribeOptions);
      const forget = () => subscriptions.delete(subscription);
      subscriptions.add(subscription);
      subscription.done.then(forget, forget);
      return subscription;
    },
    truncate: async (stream, beforeVersion) => {
      await truncateMany([{ stream, beforeVersion }]);
    },
    truncateMany,
    head: async () => {
      requireOpen();
      return reader.head();
    },
    reopen: async () => {
      requireOpen();
      const before = reader;
      reader = createEventReader(file, codec);
      before.close();
      connection += 1;
      follower.wake();
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
