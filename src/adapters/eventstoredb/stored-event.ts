import type { RecordedEvent as ClientEvent, EventData, Position } from '@eventstore/db-client';
import type { StoredEvent } from '../../kernel/event-codec.ts';
import type { EncodedEvent } from '../encode-append.ts';

/** A place in the server's log that a JSON number cannot hold; rounded, it would be another event's. */
export class PositionTooLarge extends RangeError {
  constructor(position: bigint) {
    super(`EventStoreDB's position ${position} is above ${Number.MAX_SAFE_INTEGER}, the largest that can be kept.`);
    this.name = 'PositionTooLarge';
  }
}

/** Events written over gRPC have the same commit and prepare position. */
export function positionOf(position: Position | undefined): number {
  if (position === undefined) throw new TypeError('EventStoreDB 22.6 or later is needed: it tells where an event is.');
  if (position.commit > BigInt(Number.MAX_SAFE_INTEGER)) throw new PositionTooLarge(position.commit);
  return Number(position.commit);
}

export const logPosition = (position: number): Position => ({ commit: BigInt(position), prepare: BigInt(position) });

/** The server's own events and those of its projections; they stand among ours in the order of all events. */
export const isSystemEvent = ({ type, streamId }: ClientEvent): boolean =>
  type.startsWith('$') || streamId.startsWith('$');

/** The client parses what it reads; text that came from JSON.stringify is the same again. */
const jsonText = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : JSON.stringify(value ?? {});

/** The text is made when it is asked for: many readers need only some of the types. */
export function storedEvent(event: ClientEvent): StoredEvent {
  return {
    id: event.id,
    type: event.type,
    stream: event.streamId,
    version: Number(event.revision) + 1,
    position: positionOf(event.position),
    get data() {
      return jsonText(event.data);
    },
    get metadata() {
      return jsonText(event.metadata);
    },
  };
}

const utf8 = new TextEncoder(); // the client takes metadata as it is from exactly a Uint8Array, and only there

/**
 * The client makes the text of JSON itself, from a value; the value of our text gives the same text again. It does so
 * later and for each try anew, so the value must not be the caller's object. Parsing takes 2 µs for 300 bytes, where an
 * append takes 350, and 2 ms for 700 KB.
 */
export const clientEvent = ({ id, type, data, metadata }: EncodedEvent): EventData => ({
  id,
  type,
  contentType: 'application/json',
  data: JSON.parse(data),
  metadata: utf8.encode(metadata),
});
