import type { RecordedEvent } from '../../kernel/event.ts';
import type { EventCodec } from '../../kernel/event-codec.ts';
import type { ReadOptions, StreamSlice } from '../../ports/event-store.ts';
import { readStream, type ServerCalls } from './server-calls.ts';
import { storedEvent } from './stored-event.ts';
import type { StreamVersions } from './stream-versions.ts';
import type { Page } from './wire/read-request.ts';

const absent = (stream: string): StreamSlice => ({ stream, version: 0, events: [] });

/**
 * A whole stream takes one call, and so does one that is not there: whether the server does not know it or somebody has
 * deleted it, the next append begins it. Where the last event is not among those read, the version takes a second call.
 */
export function createStreamSlices(calls: ServerCalls, versions: StreamVersions, codec: EventCodec) {
  const read = async (stream: string, page: Page): Promise<RecordedEvent[] | null> => {
    const found = await readStream(calls, stream, page);
    return found && found.map((event) => codec.decode(storedEvent(event)));
  };

  const forwards = async (stream: string, from: number, limit: number | undefined): Promise<StreamSlice> => {
    const isFromStart = from <= 1;
    const bound = limit === undefined ? {} : { limit };
    const events = await read(stream, { ...(!isFromStart && { from: from - 1 }), ...bound });
    if (events === null) return absent(stream);
    const last = events.at(-1);
    if (last === undefined && isFromStart) return { stream, version: await versions.ofEmpty(stream), events };
    const isEnd = last !== undefined && (limit === undefined || events.length < limit);
    return { stream, version: isEnd ? last.version : await versions.read(stream), events };
  };

  const backwards = async (
    stream: string,
    from: number | undefined,
    limit: number | undefined,
  ): Promise<StreamSlice> => {
    const isFromEnd = from === undefined;
    const bound = limit === undefined ? {} : { limit };
    const page = { backwards: true, ...(!isFromEnd && { from: Math.max(0, from - 1) }), ...bound };
    const events = from === 0 ? [] : await read(stream, page);
    if (events === null) return absent(stream);
    if (!isFromEnd) return { stream, version: await versions.read(stream), events };
    return { stream, version: events[0]?.version ?? (await versions.ofEmpty(stream)), events };
  };

  return (stream: string, { direction, fromVersion, limit }: ReadOptions = {}): Promise<StreamSlice> =>
    direction === 'backwards' ? backwards(stream, fromVersion, limit) : forwards(stream, fromVersion ?? 1, limit);
}
