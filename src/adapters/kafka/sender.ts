import type { Producer } from 'kafkajs';
import type { BusMessage } from '../../ports/message-bus.ts';
import { metadataMaxAgeMs, type NewClient } from './client.ts';
import { isUnknownTopic } from './failures.ts';
import { createLink } from './link.ts';
import { createTopicQueue, type TopicQueue } from './topic-queue.ts';
import { choosePartitions, type KafkaTopics } from './topics.ts';

export interface Sender {
  /** Resolves when all are stored, in their order within a key. */
  readonly send: (topic: string, messages: readonly BusMessage[]) => Promise<void>;
  /** A topic has got more partitions, which the producer has yet to hear of. */
  readonly onGrown: () => void;
  /** What was brought comes to its end first. */
  readonly close: () => Promise<void>;
}

const acksOfAll = -1;
const storeMs = 5_000;

export function createSender(newClient: NewClient, topics: KafkaTopics): Sender {
  const producer = createLink<Producer>(() =>
    newClient().producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      metadataMaxAge: metadataMaxAgeMs,
      createPartitioner: choosePartitions,
    }),
  );
  const queues = new Map<string, Promise<TopicQueue>>();
  const underWay = new Set<Promise<void>>();

  const makeQueue = async (topic: string): Promise<TopicQueue> => {
    await topics.require([topic]);
    return createTopicQueue(async (messages) => {
      await producer.use((client) => client.send({ topic, messages, acks: acksOfAll, timeout: storeMs }));
    });
  };

  const queueOf = (topic: string): Promise<TopicQueue> => {
    const known = queues.get(topic);
    if (known !== undefined) return known;
    const made = makeQueue(topic);
    queues.set(topic, made);
    made.catch(() => queues.delete(topic)); // who waits for it is told
    return made;
  };

  const send = async (topic: string, messages: readonly BusMessage[]): Promise<void> => {
    const { put } = await queueOf(topic);
    if (messages.length === 0) return;
    try {
      await put(messages);
    } catch (error) {
      if (isUnknownTopic(error)) await topics.require([topic]); // says so if the topic was removed
      throw error;
    }
  };

  return {
    send: (topic, messages) => {
      const sending = send(topic, messages);
      underWay.add(sending);
      const forget = () => underWay.delete(sending);
      sending.then(forget, forget);
      return sending;
    },
    onGrown: producer.replace,
    close: async () => {
      await Promise.allSettled(underWay);
      await producer.close();
    },
  };
}
