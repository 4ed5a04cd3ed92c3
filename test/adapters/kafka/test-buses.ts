import { Kafka, logLevel } from 'kafkajs';
import type { KafkaMessageBusOptions } from '../../../src/adapters/kafka/message-bus.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import { openBus } from './open-bus.ts';

export interface TestBuses {
  readonly open: (options?: Partial<KafkaMessageBusOptions>) => Promise<MessageBus>;
  /** Closes all, and removes the topics that they made: a broker that is kept must not fill up. */
  readonly close: () => Promise<void>;
}

async function removeTopics(brokers: string, topics: readonly string[]): Promise<void> {
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const existing = await admin.listTopics();
  await admin.deleteTopics({ topics: topics.filter((topic) => existing.includes(topic)) });
  await admin.disconnect();
}

export function createTestBuses(brokers: string): TestBuses {
  const buses: MessageBus[] = [];
  const topics = new Set<string>();
  return {
    open: async (options) => {
      const bus = await openBus(brokers, options);
      buses.push(bus);
      return {
        ...bus,
        ensureTopics: (declared) => {
          for (const { name } of declared) topics.add(name);
          return bus.ensureTopics(declared);
        },
      };
    },
    close: async () => {
      await Promise.all(buses.splice(0).map((bus) => bus.close()));
      if (topics.size > 0) await removeTopics(brokers, [...topics]);
      topics.clear();
    },
  };
}
