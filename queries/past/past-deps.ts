import type { Clock } from '../../src/ports/clock.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { LongPageDeps, QueryDeps } from '../shape/query-deps.ts';
import type { WholeOrgTurns } from './in-turn.ts';

/** What questions about the past read: beside what is known now, the events of single streams. */
export interface PastDeps extends QueryDeps, LongPageDeps {
  readonly streams: Pick<EventStore, 'read' | 'readMany'>;
  readonly clock: Clock;
  readonly wholeOrgTurns: WholeOrgTurns;
}
