import type { Clock } from '../../src/ports/clock.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { LargeReadDeps, QueryDeps } from '../shape/query-deps.ts';

/** What questions about the past read: beside what is known now, the events of single streams. */
export interface PastDeps extends QueryDeps, LargeReadDeps {
  readonly streams: Pick<EventStore, 'read' | 'readMany'>;
  readonly clock: Clock;
}
