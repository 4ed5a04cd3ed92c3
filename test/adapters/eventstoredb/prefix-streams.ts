import type { RecordedEvent } from '../../../src/kernel/event.ts';
import { parseStream } from '../../../src/kernel/stream-name.ts';
import type { EventBatch, EventStore, StreamSlice } from '../../../src/ports/event-store.ts';

export interface Corner {
  readonly prefix: string;
  /** Everything up to here is somebody else's. */
  readonly afterPosition: number;
}

/** A corner of a server that others have written to before, as if it was an empty one. Nobody may write beside it. */
export function prefixStreams(store: EventStore, { prefix, afterPosition: start }: Corner): EventStore {
  const inside = <Named extends { readonly stream: string }>(named: Named): Named => ({
    ...named,
    stream: `${prefix}${named.stream}`,
  });
  const ownEvent = (event: RecordedEvent): RecordedEvent => ({
    ...event,
    stream: parseStream(event.stream.name.slice(prefix.length)),
  });
  const ownSlice = ({ stream, version, events }: StreamSlice): StreamSlice => ({
    stream: stream.slice(prefix.length),
    version,
    events: events.map(ownEvent),
  });
  const ownPosition = (position: number): number => (position <= start ? 0 : position);
  const ownBatch = ({ events, position }: EventBatch): EventBatch => ({
    events: events.map(ownEvent),
    position: ownPosition(position),
  });
  return {
    append: (append) => store.append(inside(append)),
    appendMany: (appends) => store.appendMany(appends.map(inside)),
    read: async (stream, options) => ownSlice(await store.read(`${prefix}${stream}`, options)),
    readMany: async (streams, options) => {
      const names = streams.map((stream) => `${prefix}${stream}`);
      return (await store.readMany(names, options)).map(ownSlice);
    },
    readAll: async (options) =>
      ownBatch(await store.readAll({ ...options, afterPosition: Math.max(start, options.afterPosition) })),
    subscribe: (options) =>
      store.subscribe({
        ...options,
        afterPosition: Math.max(start, options.afterPosition),
        onBatch: (batch) => options.onBatch(ownBatch(batch)),
      }),
    truncate: (stream, beforeVersion) => store.truncate(`${prefix}${stream}`, beforeVersion),
    truncateMany: (truncations) => store.truncateMany(truncations.map(inside)),
    head: async () => ownPosition(await store.head()),
    close: store.close,
  };
}
