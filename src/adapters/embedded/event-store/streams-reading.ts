import type { RecordedEvent } from '../../../kernel/event.ts';
import type { ReadOptions, StreamSlice } from '../../../ports/event-store.ts';

/** A stream of which a part was read. */
export interface BegunSlice {
  /** As they were when it was begun. */
  readonly version: number;
  readonly firstVersion: number;
  readonly events: RecordedEvent[];
  /** What is still to be read: versions, both inclusive, and how many at most; negative for any number. */
  lowest: number;
  highest: number;
  limit: number;
}

/** Streams that are read in steps, one after the other. Each slice is of one moment; two may be of different ones. */
export interface StreamsReading {
  readonly streams: readonly string[];
  readonly options: ReadOptions;
  /** Of the first streams: those that were read to their end. */
  readonly slices: StreamSlice[];
  begun: BegunSlice | null;
}

export const beginReading = (streams: readonly string[], options: ReadOptions = {}): StreamsReading => ({
  streams,
  options,
  slices: [],
  begun: null,
});

export const isRead = ({ streams, slices }: StreamsReading): boolean => slices.length === streams.length;

export function beginSlice(
  { direction, fromVersion, limit = -1 }: ReadOptions,
  { version, firstVersion }: Pick<BegunSlice, 'version' | 'firstVersion'>,
): BegunSlice {
  const range =
    direction === 'backwards'
      ? { lowest: firstVersion, highest: Math.min(fromVersion ?? version, version) }
      : { lowest: Math.max(fromVersion ?? 1, firstVersion), highest: version };
  return { version, firstVersion, events: [], ...range, limit };
}

export function addToSlice(slice: BegunSlice, event: RecordedEvent, direction: ReadOptions['direction']): void {
  slice.events.push(event);
  if (direction === 'backwards') slice.highest = event.version - 1;
  else slice.lowest = event.version + 1;
  if (slice.limit > 0) slice.limit -= 1;
}
