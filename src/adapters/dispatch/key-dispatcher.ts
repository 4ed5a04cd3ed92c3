import type { Clock } from '../../ports/clock.ts';
import type { ConsumeOptions, ReceivedMessage } from '../../ports/message-bus.ts';
import { attemptsMax } from '../../ports/message-bus.ts';
import type { ConsumeLimits } from './consume-limits.ts';
import {
  createDispatchedPartition,
  type DispatchedPartition,
  type Entry,
  type KeyQueue,
  type PartitionState,
} from './dispatched-partition.ts';
import { createDueQueue } from './due-queue.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface KeyDispatcherOptions {
  readonly limits: ConsumeLimits;
  readonly clock: Clock;
  readonly handle: ConsumeOptions['handle'];
  /** The message lies in the dead-letter topic when it resolves. */
  readonly deadLetter: (message: ReceivedMessage, error: unknown) => Promise<void>;
  readonly onDeadLetter: ((message: ReceivedMessage, error: unknown) => void) | undefined;
  /** A dead letter could not be stored; it is tried again. */
  readonly onDrop: (error: Error) => void;
  /** A message was finished, so that there may be more to commit. */
  readonly onFinished: () => void;
  /** A partition that had no room has room again. */
  readonly onRoom: () => void;
}

export interface KeyDispatcher {
  /** A partition that this member was given, to go on at this offset. */
  readonly open: (startOffset: number) => DispatchedPartition;
  /** After every partition was given up or lost. */
  readonly close: () => void;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Hands messages to the handler: those of one key of one partition begin in their order, keys take turns, and a
 * message that failed waits for its next attempt beside the others and not in front of them.
 */
export function createKeyDispatcher(options: KeyDispatcherOptions): KeyDispatcher {
  const { limits, clock, handle, deadLetter, onDeadLetter, onDrop, onFinished, onRoom } = options;
  const ready: KeyQueue[] = []; // of keys that have a message to begin and a place for it
  const later = createDueQueue(clock);
  let running = 0;

  const makeReady = (queue: KeyQueue): void => {
    if (queue.isReady || queue.waiting.length === 0 || queue.running >= limits.concurrencyPerKey) return;
    queue.isReady = true;
    ready.push(queue);
  };

  const beginAll = (): void => {
    while (running < limits.concurrency) {
      const queue = ready.shift();
      if (queue === undefined) return;
      queue.isReady = false;
      const entry = queue.waiting.shift();
      if (entry === undefined) continue; // its partition was given up meanwhile
      running += 1;
      queue.running += 1;
      queue.partition.inHand += 1;
      void attempt(queue, entry);
      makeReady(queue);
    }
  };

  const wait = (ms: number) => new Promise<void>((resolve) => later.add(ms, resolve));

  /** False when the partition was given up before the dead letter could be stored. */
  const bury = async (partition: PartitionState, message: ReceivedMessage, error: unknown): Promise<boolean> => {
    for (let failures = 1; ; failures += 1) {
      try {
        await deadLetter(message, error);
        return true;
      } catch (problem) {
        onDrop(asError(problem));
      }
      if (partition.isEnding) return false;
      await wait(retryDelayMs(failures));
      if (partition.isEnding) return false;
    }
  };

  const finish = (queue: KeyQueue, entry: Entry): void => {
    if (queue.partition.finish(entry)) onRoom();
    onFinished();
  };

  const afterFailure = async (queue: KeyQueue, entry: Entry, message: ReceivedMessage, error: unknown) => {
    const { partition } = queue;
    // It may have failed only because this member ends; the next one hands it over again.
    if (partition.isEnding) return;
    if (message.attempt < attemptsMax) {
      later.add(retryDelayMs(message.attempt), () => {
        if (partition.isEnding) return;
        const own = partition.queueOf(message.key);
        own.waiting.unshift(entry);
        makeReady(own);
        beginAll();
      });
      return;
    }
    if (partition.lost.aborted || !(await bury(partition, message, error))) return;
    finish(queue, entry);
    onDeadLetter?.(message, error);
  };

  const attempt = async (queue: KeyQueue, entry: Entry): Promise<void> => {
    const { partition } = queue;
    entry.attempts += 1;
    const message: ReceivedMessage = { ...entry.message, attempt: entry.attempts };
    let failure: { readonly error: unknown } | undefined;
    try {
      await handle(message, partition.lost);
    } catch (error) {
      failure = { error };
    }
    running -= 1;
    queue.running -= 1;
    if (failure === undefined) finish(queue, entry);
    makeReady(queue);
    partition.forget(queue);
    beginAll();
    if (failure !== undefined) await afterFailure(queue, entry, message, failure.error);
    partition.letGo();
  };

  return {
    open: (startOffset) =>
      createDispatchedPartition(
        startOffset,
        (queue) => {
          makeReady(queue);
          beginAll();
        },
        limits.concurrency,
      ),
    close: later.close,
  };
}
