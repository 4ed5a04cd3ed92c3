export type FaultyMethod = 'append' | 'read' | 'subscribe' | 'features' | 'delete';
export type WritingMethod = 'append' | 'delete';
export type FailureStatus = 'CANCELLED' | 'UNAVAILABLE' | 'ABORTED' | 'UNIMPLEMENTED';

/** Armed for the next `times` calls, one when absent. */
export type CallFault =
  /** Without a status the client's connection is cut; with one, only the call ends. */
  | { fault: 'commit-then-drop'; method: WritingMethod; times?: number; status?: FailureStatus }
  | { fault: 'drop-before-commit'; method: WritingMethod; times?: number; status?: FailureStatus }
  /** Takes the call and never answers; nothing is stored. */
  | { fault: 'hang'; method: FaultyMethod; times?: number }
  /** UNAVAILABLE when no status is given. */
  | { fault: 'features-fail'; times?: number; status?: FailureStatus }
  /** With `afterEvents`: the next `times` subscriptions end after that many events. Without: all open ones, now. */
  | { fault: 'end-subscriptions'; status?: FailureStatus | 'OK'; afterEvents?: number; times?: number };

export type StandinCommand =
  | CallFault
  /** Cuts every open connection; new ones are accepted. */
  | { command: 'drop-connections' }
  /** Disarms every fault. Calls that hang go on hanging. */
  | { command: 'clear' }
  /** Empties the store and its file, disarms faults, ends subscriptions with UNAVAILABLE. */
  | { command: 'reset' }
  /** An event of the server's own, as its statistics are. */
  | { command: 'write-system-event' }
  | { command: 'stats' };

export interface SubscriptionStats {
  readonly id: string;
  /** `$all` or a stream. */
  readonly stream: string;
  /** Handed to the connection; stops growing while the reader does not read. */
  readonly eventsWritten: number;
  readonly checkpointsWritten: number;
  readonly open: boolean;
}

export interface StandinStats {
  readonly connections: number;
  /** Calls in progress, by method; hanging ones too. */
  readonly openCalls: Readonly<Record<FaultyMethod | 'operations', number>>;
  /** Append requests that reached the stand-in, refused and faulty ones too. */
  readonly appendsSeen: number;
  /** Read requests that reached the stand-in; subscriptions are not among them. */
  readonly readsSeen: number;
  readonly eventsStored: number;
  readonly scavenges: number;
  readonly subscriptions: readonly SubscriptionStats[];
}
