import type { Turns } from '../../src/concurrency/turns.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

/** What questions about the past read: beside what is known now, the events of single streams. */
export interface PastDeps extends QueryDeps {
  readonly streams: Pick<EventStore, 'read' | 'readMany'>;
  readonly clock: Clock;
  /** Of a process, for reads of whole orgs: one at a time. */
  readonly wholeOrgTurns: Turns;
}
