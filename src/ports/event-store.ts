import type { NewEvent, RecordedEvent } from '../kernel/event.ts';

/** Appends below this many bytes of JSON are accepted by every store (EventStoreDB refuses over 1 MiB by default). */
export const appendBytesMax = 900_000;

export interface StreamAppend {
  readonly stream: string;
  /** 0 = the stream has never had an event. */
  readonly expectedVersion: number;
  readonly events: readonly NewEvent[];
}

export interface Appended {
  readonly outcome: 'appended';
  /** Number of the last event of this append. */
  readonly version: number;
  /** Position of the last event of this append. */
  readonly position: number;
}

export interface VersionConflict {
  readonly outcome: 'conflict';
  readonly actualVersion: number;
}

/** The events asked for that are still stored, in the asked direction, and the stream's version, which never falls. */
export interface StreamSlice {
  readonly stream: string;
  readonly version: number;
  readonly events: readonly RecordedEvent[];
}

export interface ReadOptions {
  readonly direction?: 'forwards' | 'backwards';
  /** Inclusive. Forwards from 1, backwards from the end when absent. */
  readonly fromVersion?: number;
  readonly limit?: number;
}

/** Of each stream. */
export type ReadManyOptions = Pick<ReadOptions, 'direction' | 'limit'>;
/** A batch ends also when it holds about this much, whatever its limit: a release text may have a megabyte. */
export const batchBytesMax = 4_000_000;

/** Events in global order. `position` is how far the reader has seen, also when no event of the asked types was there. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  readonly position: number;
}

export interface ReadAllOptions {
  /** Exclusive; 0 reads from the beginning. */
  readonly afterPosition: number;
  /** At most so many; fewer when they are large. */
  readonly limit: number;
  /** Current event types; all when absent. */
  readonly types?: readonly string[];
}

export interface SubscribeOptions {
  /** Exclusive. */
  readonly afterPosition: number;
  readonly batchSize: number;
  readonly types?: readonly string[];
  /** Awaited before the next batch is read. If it throws, the subscription ends with that error. */
  readonly onBatch: (batch: EventBatch) => Promise<void>;
  /** Called when a dropped connection is being resumed; the handler sees neither gap nor repeat. */
  readonly onDrop?: (error: Error) => void;
}

export interface Subscription {
  /** Resolves after `close()`, rejects when the handler threw or the store cannot be resumed. */
  readonly done: Promise<void>;
  /** Lets the batch in hand finish. */
  readonly close: () => Promise<void>;
}

export interface Truncation {
  readonly stream: string;
  /** Events numbered below it are forgotten. */
  readonly beforeVersion: number;
}

/** The only truth of the registry. */
export interface EventStore {
  /**
   * All or nothing, durable when it resolves. Repeating an append with the same event ids at the same expected version
   * answers as the first time, also when later events follow; if only some of the ids are there, it is a conflict.
   */
  readonly append: (append: StreamAppend) => Promise<Appended | VersionConflict>;
  /** Each stream is all or nothing on its own; outcomes come in the order of the appends. Streams must be distinct. */
  readonly appendMany: (appends: readonly StreamAppend[]) => Promise<(Appended | VersionConflict)[]>;
  readonly read: (stream: string, options?: ReadOptions) => Promise<StreamSlice>;
  /** One slice for each name, in the order of the names. */
  readonly readMany: (streams: readonly string[], options?: ReadManyOptions) => Promise<StreamSlice[]>;
  readonly readAll: (options: ReadAllOptions) => Promise<EventBatch>;
  readonly subscribe: (options: SubscribeOptions) => Subscription;
  /** Forgets the events numbered below `beforeVersion`; numbering and global order of the others stay. */
  readonly truncate: (stream: string, beforeVersion: number) => Promise<void>;
  /** The same for each of some streams, which must be distinct; what fails may have been done for some of them. */
  readonly truncateMany: (truncations: readonly Truncation[]) => Promise<void>;
  /** Position of the last event, 0 in an empty store. */
  readonly head: () => Promise<number>;
  /** May be called twice. */
  readonly close: () => Promise<void>;
}
