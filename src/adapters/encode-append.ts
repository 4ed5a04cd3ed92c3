import type { EventCodec } from '../kernel/event-codec.ts';
import { appendBytesMax, type StreamAppend } from '../ports/event-store.ts';

export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export interface EncodedAppend {
  readonly stream: string;
  readonly expectedVersion: number;
  readonly events: readonly EncodedEvent[];
  readonly bytes: number;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Refuses what some store would refuse or store differently, before any store has seen it. */
export function encodeAppend(codec: EventCodec, { stream, expectedVersion, events }: StreamAppend): EncodedAppend {
  if (stream === '') throw new TypeError('An append needs the name of a stream.');
  if (!Number.isSafeInteger(expectedVersion) || expectedVersion < 0) {
    throw new TypeError(`${expectedVersion} is no version that stream ${stream} can have.`);
  }
  if (events.length === 0) throw new TypeError(`An append to ${stream} needs at least one event.`);
  const ids = new Set<string>();
  let bytes = 0;
  const encoded = events.map((event) => {
    if (!uuid.test(event.id)) throw new TypeError(`The event id ${event.id} is no UUID in lower case.`);
    if (event.type === '') throw new TypeError(`An event for ${stream} has no type.`);
    if (ids.has(event.id)) throw new TypeError(`The event id ${event.id} stands twice in one append to ${stream}.`);
    ids.add(event.id);
    const row = codec.encode(event);
    bytes += Buffer.byteLength(row.data) + Buffer.byteLength(row.metadata);
    return row;
  });
  if (bytes > appendBytesMax) {
    throw new RangeError(`An append to ${stream} has ${bytes} bytes; at most ${appendBytesMax} are accepted.`);
  }
  return { stream, expectedVersion, events: encoded, bytes };
}

export function encodeAppends(codec: EventCodec, appends: readonly StreamAppend[]): EncodedAppend[] {
  const streams = new Set<string>();
  return appends.map((append) => {
    if (streams.has(append.stream)) throw new TypeError(`The stream ${append.stream} stands twice in one call.`);
    streams.add(append.stream);
    return encodeAppend(codec, append);
  });
}
