/** A topic as `ops/topics.json` has it. */
export interface TopicDeclaration {
  readonly name: string;
  /** Messages of one key lie in one partition; a group shares its partitions among its members. */
  readonly partitions: number;
  /** How long a message is kept, read or not. */
  readonly retentionMs: number;
}

/** Key, value and headers together have at most 1,000,000 bytes. */
export interface BusMessage {
  readonly key: string;
  readonly value: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReceivedMessage extends BusMessage {
  readonly topic: string;
  readonly partition: number;
  /** Rises within a partition, with gaps. */
  readonly offset: number;
  /** By the clock of the bus. */
  readonly producedAtMs: number;
  readonly headers: Readonly<Record<string, string>>;
  /** 1 at first; higher when the handler failed with it before, as far as this member knows. */
  readonly attempt: number;
}

export interface ConsumeOptions {
  /** Each message goes to one member of each group. A new group begins with the oldest message that is kept. */
  readonly group: string;
  readonly topics: readonly string[];
  /** By topic: a message is handed over no earlier than this after it was produced; at once for topics not named. */
  readonly delaysMs?: ReadonlyMap<string, number>;
  /** Handlers at once. One that waits for its next attempt does not count; a bounded number is read ahead. */
  readonly concurrency: number;
  /** Of one key of one topic at once, begun in the order in which they were produced; 1 when absent. */
  readonly concurrencyPerKey?: number;
  /**
   * A message is finished when it resolves. If it throws, the message is handed over again a little later, while those
   * behind it go on; after `attemptsMax` failures it goes to the dead-letter topic as it came and counts as finished.
   * The signal fires when the message is no longer this member's to finish: another one will get it.
   */
  readonly handle: (message: ReceivedMessage, lost: AbortSignal) => Promise<void>;
  readonly deadLetterTopic: string;
  /** Told each time a message went to the dead-letter topic, with what its handler threw last. */
  readonly onDeadLetter?: (message: ReceivedMessage, error: unknown) => void;
  /** Told when the bus cannot be reached; consuming goes on by itself when it is back. */
  readonly onDrop?: (error: Error) => void;
}

export const attemptsMax = 5;

export interface Consumer {
  /** Resolves after `close()`; rejects only when the bus cannot be consumed at all, such as a topic that is not there. */
  readonly done: Promise<void>;
  /** Takes nothing new, lets what is in hand finish, says how far it got, and leaves the group. */
  readonly close: () => Promise<void>;
}

/** How far a group is in one partition. */
export interface GroupProgress {
  readonly topic: string;
  readonly partition: number;
  /** Messages that are kept and not finished, those in hand included. */
  readonly waiting: number;
}

/**
 * Durable topics. A message that was produced reaches every group at least once: an offset moves only up to the first
 * message that is not finished, so a crash hands over again whatever was in hand.
 */
export interface MessageBus {
  /** Makes what is missing and sets what can be set; answers a sentence for what stays other than declared. */
  readonly ensureTopics: (topics: readonly TopicDeclaration[]) => Promise<string[]>;
  readonly topics: () => Promise<string[]>;
  /** All stored when it resolves, in this order within a key. */
  readonly produce: (topic: string, messages: readonly BusMessage[]) => Promise<void>;
  readonly consume: (options: ConsumeOptions) => Consumer;
  readonly progress: (group: string, topics: readonly string[]) => Promise<GroupProgress[]>;
  /** Where messages of these keys lie, in their order. */
  readonly partitionsOf: (topic: string, keys: readonly string[]) => Promise<number[]>;
  /** May be called twice; closes its consumers first. */
  readonly close: () => Promise<void>;
}
