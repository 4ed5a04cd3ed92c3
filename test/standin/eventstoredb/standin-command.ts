/** `append` is each append, over a call of its own or one of many; `batchAppend` is the call of many. */
export type FaultyMethod = 'append' | 'batchAppend' | 'read' | 'subscribe' | 'features' | 'delete';
export type CountedMethod = FaultyMethod | 'operations';
export type WritingMethod = 'append' | 'delete';
export type FailureStatus = 'CANCELLED' | 'UNAVAILABLE' | 'ABORTED' | 'UNIMPLEMENTED';

/** Armed for the next `times` calls, one when absent. */
export type CallFault =
  /** Without a status the client's connection is cut; with one, only the call ends. */
  | { fault: 'commit-then-drop'; method: WritingMethod; times?: number; status?: FailureStatus }
  | { fault: 'drop-before-commit'; method: WritingMethod; times?: number; status?: FailureStatus }
  /**
   * Takes the append in and commits it with `release-commits`, or never when another node is elected before. Meanwhile a
   * repeat of it is dropped, other appends to its stream wait behind it, and each caller hears a time-out. `cut` ends the
   * connection at once.
   */
  | { fault: 'hold-commit'; method: 'append'; times?: number; cut?: true }
  /** As a node that follows another: sends a call that requires the leader there, to this same address, and serves others. */
  | { fault: 'not-leader'; method: 'append' | 'read'; times?: number }
  /** Takes the call and never answers; nothing is stored. */
  | { fault: 'hang'; method: FaultyMethod; times?: number }
  /** Ends the call of many appends without an error, with this append stored or not and unanswered. */
  | { fault: 'end-batch-call'; commit?: boolean; times?: number }
  /** As a node that is just becoming the leader answers an append among many. */
  | { fault: 'not-ready'; times?: number }
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
  | { command: 'release-commits' }
  /** Whoever waits for a commit hears now that it took too long, as it would later. */
  | { command: 'time-out-commits' }
  /**
   * Another node leads from now on, or none. With `oldLags` the old one keeps its connections, but nothing more comes to it
   * before `catch-up`.
   */
  | { command: 'elect'; node: number | null; oldLags?: boolean }
  | { command: 'catch-up' }
  /** Of the first node when none is named. */
  | { command: 'stats'; node?: number };

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
  readonly openCalls: Readonly<Record<CountedMethod, number>>;
  /** Append requests that reached the stand-in, refused and faulty ones too. */
  readonly appendsSeen: number;
  /** Appends that were in flight already and are never answered but by a time-out. */
  readonly repeatsDropped: number;
  /** Read requests that reached the stand-in; subscriptions are not among them. */
  readonly readsSeen: number;
  /** Those of a stream or its metadata: a service reads `$all` by itself all the time. */
  readonly streamReadsSeen: number;
  /** Calls of many appends that were begun. */
  readonly batchCallsSeen: number;
  readonly eventsStored: number;
  readonly scavenges: number;
  readonly subscriptions: readonly SubscriptionStats[];
}
