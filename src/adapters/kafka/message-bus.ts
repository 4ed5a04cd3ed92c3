import type { Clock } from '../../ports/clock.ts';
import type { BusMessage, Consumer, MessageBus } from '../../ports/message-bus.ts';
import { checkedBytes } from '../dispatch/checked-messages.ts';
import { checkedTopics } from '../dispatch/checked-topics.ts';
import { deadLetterOf } from '../dispatch/dead-letter.ts';
import { createClients, type KafkaClientOptions } from './client.ts';
import { startKafkaConsumer } from './consumer.ts';
import type { GroupTimings } from './consumer-session.ts';
import { translated } from './failures.ts';
import { withinTime } from '../within-time.ts';
import { readProgress } from './group-progress.ts';
import { createLink } from './link.ts';
import { createSender } from './sender.ts';
import { createKafkaTopics } from './topics.ts';

export interface KafkaMessageBusOptions extends Omit<KafkaClientOptions, 'clientId'> {
  readonly clock: Clock;
  readonly clientId?: string;
  /** A process that died is noticed within this; one that is only busy must not be taken for dead. */
  readonly sessionMs?: number | undefined;
}

const defaultSessionMs = 10_000;
/** Who is busy when the partitions are shared anew must have time to come along. */
const rebalanceMsMin = 10_000;

/** Some heartbeats may be lost before a member is. */
const timingsOf = (sessionMs: number): GroupTimings => ({
  sessionMs,
  heartbeatMs: Math.floor(sessionMs / 6),
  rebalanceMs: Math.max(rebalanceMsMin, 2 * sessionMs),
});

const callMs = 10_000;

/** Connects with the first call, so that the brokers need not be there yet. */
export async function createKafkaMessageBus(options: KafkaMessageBusOptions): Promise<MessageBus> {
  const { clock, sessionMs = defaultSessionMs, clientId = 'registry', brokers, log, connect } = options;
  const newClient = createClients({ brokers, clientId, log, connect });
  const admin = createLink(() => newClient().admin());
  const topics = createKafkaTopics(admin, clock);
  const sender = createSender(newClient, topics);
  const consumers = new Set<Consumer>();
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const requireOpen = (): void => {
    if (closing !== undefined) throw new Error('The message bus is closed.');
  };
  /** Bounded, with failures by the names that callers know. */
  const call = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const working = withinTime({ server: 'Kafka', what, timeoutMs: callMs }, work());
    underWay.add(working);
    try {
      return await working;
    } catch (error) {
      throw translated(error);
    } finally {
      underWay.delete(working);
    }
  };
  const store = (topic: string, messages: readonly BusMessage[]): Promise<void> =>
    call(`produce to ${topic}`, () => sender.send(topic, messages));

  const close = async (): Promise<void> => {
    await Promise.all([...consumers].map((consumer) => consumer.close()));
    await Promise.allSettled(underWay);
    await sender.close();
    await admin.close();
  };

  return {
    ensureTopics: async (declared) => {
      requireOpen();
      checkedTopics(declared);
      return call('ensure topics', () => topics.ensure(declared, sender.onGrown));
    },
    topics: async () => {
      requireOpen();
      return call('list topics', topics.names);
    },
    produce: async (topic, messages) => {
      requireOpen();
      checkedBytes(topic, messages);
      await store(topic, messages);
    },
    consume: (consume) => {
      requireOpen();
      const consumer = startKafkaConsumer({
        consume,
        newClient,
        clock,
        timings: timingsOf(sessionMs),
        requireTopics: (names) => call('find topics', () => topics.require(names)),
        // Its headers may make it larger than what may be produced, for which the brokers have room.
        deadLetter: (message, error) => store(consume.deadLetterTopic, [deadLetterOf(message, error)]),
      });
      consumers.add(consumer);
      const closeConsumer = async (): Promise<void> => {
        await consumer.close();
        consumers.delete(consumer);
      };
      return { done: consumer.done, close: closeConsumer };
    },
    progress: async (group, names) => {
      requireOpen();
      return call(`read the progress of ${group}`, async () => {
        await topics.require(names);
        return readProgress(admin, clock, group, names);
      });
    },
    partitionsOf: async (topic, keys) => {
      requireOpen();
      return call(`find the partitions of ${topic}`, async () => {
        await topics.require([topic]);
        return topics.partitionsOf(topic, keys);
      });
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
