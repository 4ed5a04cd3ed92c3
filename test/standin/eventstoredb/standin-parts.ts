import type { EventLog } from './log/event-log.ts';
import type { Faults } from './faults.ts';
import type { OpenCalls } from './open-calls.ts';
import type { FailureStatus } from './standin-command.ts';

/** What the calls of the EventStoreDB stand-in work on. */
export interface StandinParts {
  /** To be asked for at each call: a reset replaces it. */
  readonly log: EventLog;
  readonly faults: Faults;
  readonly calls: OpenCalls;
  readonly appendBytesMax: number;
  /** Ends open subscriptions, of this server only. */
  readonly subscriptionEnds: Set<(status: FailureStatus | 'OK') => void>;
  readonly nowMs: () => number;
  readonly scavenge: () => void;
}
