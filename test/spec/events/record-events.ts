import type { DomainEvent, EventMetadata, RecordedEvent } from '../../../src/kernel/event.ts';
import { parseStream } from '../../../src/kernel/stream-name.ts';
import { testMetadata } from '../given-when-then.ts';

export interface Recorder {
  /** Appends to a stream, as a store would number the events. */
  readonly record: (
    stream: string,
    events: readonly DomainEvent[],
    metadata?: Partial<EventMetadata>,
  ) => RecordedEvent[];
  readonly all: () => readonly RecordedEvent[];
}

// Positions have gaps, as they may in every store.
const positionStep = 10;

export const createRecorder = (): Recorder => {
  const all: RecordedEvent[] = [];
  const versions = new Map<string, number>();
  return {
    record: (stream, events, metadata) => {
      const recorded = events.map(({ type, data }, index): RecordedEvent => {
        const version = (versions.get(stream) ?? 0) + 1;
        versions.set(stream, version);
        const number = all.length + index + 1;
        return {
          id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
          type,
          data,
          metadata: { ...testMetadata, ...metadata },
          stream: parseStream(stream),
          version,
          position: number * positionStep,
        };
      });
      all.push(...recorded);
      return recorded;
    },
    all: () => all,
  };
};
