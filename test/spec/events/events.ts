import { randomBytes } from 'node:crypto';
import type { EventMetadata, NewEvent } from '../../../src/kernel/event.ts';

/** A server remembers the ids of events across streams, and may have been tested before. */
const run = randomBytes(4).toString('hex');
let made = 0;

/** Ids that differ from process to process and within one, and read well in a failure. */
export function testId(): string {
  made += 1;
  return `${run}-0000-4000-8000-${made.toString(16).padStart(12, '0')}`;
}

export const testMetadata: EventMetadata = {
  commandId: '00000000-0000-4000-9000-000000000000',
  actor: 'root',
  cause: 'ingest',
  correlationId: 'test',
  recordedAt: '2026-01-02T03:04:05.678Z',
};

export function newEvent(
  type = 'ThingHappened.v1',
  data: object = {},
  metadata: Partial<EventMetadata> = {},
): NewEvent {
  return { id: testId(), type, data, metadata: { ...testMetadata, ...metadata } };
}

export const newEvents = (count: number, type?: string): NewEvent[] =>
  Array.from({ length: count }, (_, index) => newEvent(type, { number: index + 1 }));
