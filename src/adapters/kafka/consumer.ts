import type { Clock } from '../../ports/clock.ts';
import type { ConsumeOptions, Consumer, ReceivedMessage } from '../../ports/message-bus.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { consumeLimits } from '../dispatch/consume-limits.ts';
import { createDueQueue } from '../dispatch/due-queue.ts';
import { createKeyDispatcher } from '../dispatch/key-dispatcher.ts';
import { retryDelayMs } from '../dispatch/retry-delay.ts';
import type { NewClient } from './client.ts';
import { type ConsumerSession, type GroupTimings, openConsumerSession } from './consumer-session.ts';
import { isRefusal, translated } from './failures.ts';

export interface KafkaConsumerOptions {
  readonly consume: ConsumeOptions;
  readonly newClient: NewClient;
  readonly clock: Clock;
  readonly timings: GroupTimings;
  /** Throws when a topic is not there. */
  readonly requireTopics: (topics: readonly string[]) => Promise<void>;
  readonly deadLetter: (message: ReceivedMessage, error: unknown) => Promise<void>;
}

/** One session after the other: whatever ends one, the next begins where the group is. */
export function startKafkaConsumer(options: KafkaConsumerOptions): Consumer {
  const { consume, newClient, clock, timings, requireTopics, deadLetter } = options;
  const { group, topics, delaysMs = new Map<string, number>(), handle, onDeadLetter, deadLetterTopic } = consume;
  const limits = consumeLimits(consume);
  const closing = new AbortController();
  const isClosing = new Promise<undefined>((resolve) => {
    closing.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const later = createDueQueue(clock);
  let session: ConsumerSession | undefined;
  let closed: Promise<void> | undefined;

  const onDrop = (error: Error): void => consume.onDrop?.(translated(error) as Error);
  const dispatcher = createKeyDispatcher({
    limits,
    clock,
    handle,
    deadLetter,
    onDeadLetter,
    onDrop,
    onFinished: () => session?.onFinished(),
    onRoom: () => session?.onRoom(),
  });

  /** Resolves with the reason why the session ended, or with nothing when it is being closed. */
  const runSession = async (): Promise<Error | undefined> => {
    await requireTopics([...topics, deadLetterTopic]);
    if (closing.signal.aborted) return undefined;
    const own = openConsumerSession({
      newClient,
      group,
      topics,
      delaysMs,
      timings,
      clock,
      dispatcher,
      later,
      onDrop,
    });
    session = own;
    return Promise.race([own.ended, isClosing]);
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    while (!closing.signal.aborted) {
      failures += 1;
      try {
        const reason = await runSession();
        if (reason === undefined) break;
        if (isRefusal(reason)) {
          throw new Error(`Kafka does not let the group ${group} consume: ${reason.message}`, { cause: reason });
        }
        onDrop(reason);
        if (session?.hasJoined()) failures = 1;
      } catch (error) {
        if (!(error instanceof BackendUnavailable)) throw error;
        onDrop(error);
      }
      await clock.sleep(retryDelayMs(failures), closing.signal);
    }
  };
  let end: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
  const done = new Promise<void>((resolve, reject) => {
    end = { resolve, reject };
  });
  const running = run().catch((error: unknown) => {
    closing.abort();
    end.reject(error);
  });

  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([session?.close(), running]);
    dispatcher.close();
    later.close();
    end.resolve();
  };

  return {
    done,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
