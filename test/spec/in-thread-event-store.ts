import { join } from 'node:path';
import { createEventReader } from '../../src/adapters/embedded/event-store/reader.ts';
import { beginReading, isRead } from '../../src/adapters/embedded/event-store/streams-reading.ts';
import { createEventTables } from '../../src/adapters/embedded/event-store/tables.ts';
import { createEventWriter } from '../../src/adapters/embedded/event-store/writer.ts';
import { openDatabase } from '../../src/adapters/embedded/sqlite/open-database.ts';
import { encodeAppend, encodeAppends } from '../../src/adapters/encode-append.ts';
import { upcasters } from '../../src/domain/upcasters.ts';
import { createEventCodec } from '../../src/kernel/event-codec.ts';
import type { EventStore, ReadOptions, StreamSlice } from '../../src/ports/event-store.ts';

/**
 * The tables, the writer and the reader of the embedded event store on the calling thread: no thread to start and no
 * flush to wait for, so that a test can afford hundreds of stores. It is read by position and has no subscriptions.
 */
export const openInThreadEventStore = (folder: string): EventStore => {
  const file = join(folder, 'events.sqlite');
  const codec = createEventCodec(upcasters);
  const db = openDatabase({ file, kind: 'events', synchronous: 'NORMAL' });
  createEventTables(db);
  const writer = createEventWriter(db);
  const reader = createEventReader(file, codec);
  const append = db.transaction(writer.append).immediate;
  const truncate = db.transaction(writer.truncate).immediate;
  const readStreams = (streams: readonly string[], options?: ReadOptions): StreamSlice[] => {
    const reading = beginReading(streams, options);
    while (!isRead(reading)) reader.readOn(reading);
    return reading.slices;
  };

  return {
    append: async (one) => append(encodeAppend(codec, one)),
    appendMany: async (many) => encodeAppends(codec, many).map((one) => append(one)),
    read: async (stream, options) => readStreams([stream], options)[0]!,
    readMany: async (streams, options) => readStreams(streams, options),
    readAll: async ({ afterPosition, limit, types }) => {
      const upTo = reader.head();
      const events: Parameters<typeof reader.step>[1] = [];
      let position = Math.min(afterPosition, upTo);
      while (position < upTo && events.length < limit) {
        ({ position } = reader.step({ after: position, upTo, limit: limit - events.length, types }, events));
      }
      return { events, position: Math.max(position, afterPosition) };
    },
    subscribe: () => {
      throw new Error('this store has no subscriptions');
    },
    truncate: async (stream, beforeVersion) => {
      truncate({ stream, beforeVersion });
      writer.scrubLog();
    },
    truncateMany: async (truncations) => {
      for (const truncation of truncations) truncate(truncation);
      writer.scrubLog();
    },
    head: async () => reader.head(),
    close: async () => {
      reader.close();
      db.close();
    },
  };
};
