import type { EventLog } from './log/event-log.ts';
import type { Faults } from './faults.ts';
import type { InFlight } from './log/in-flight.ts';
import type { Membership } from './membership.ts';
import type { OpenCalls } from './open-calls.ts';
import type { FailureStatus } from './standin-command.ts';

/** What the calls to one node of the EventStoreDB stand-in work on. */
export interface StandinParts {
  /** To be asked for at each call: a reset replaces it. */
  readonly log: EventLog;
  readonly faults: Faults;
  readonly calls: OpenCalls;
  readonly inFlight: InFlight;
  readonly membership: Membership;
  /** Whether it is offered. */
  readonly batchAppend: boolean;
  readonly appendBytesMax: number;
  /** After so long the server gives up waiting for its own commit. */
  readonly commitTimeoutMs: number;
  /** Ends open subscriptions, of this server only. */
  readonly subscriptionEnds: Set<(status: FailureStatus | 'OK') => void>;
  readonly nowMs: () => number;
  readonly scavenge: () => void;
}
