import { type Admin, Partitioners } from 'kafkajs';
import type { Clock } from '../../ports/clock.ts';
import type { TopicDeclaration } from '../../ports/message-bus.ts';
import { unknownTopic } from '../dispatch/checked-topics.ts';
import { hasType, isUnknownTopic } from './failures.ts';
import { TimedOut } from '../within-time.ts';
import type { Link } from './link.ts';
import { ensureSettings, newTopicSettings } from './topic-settings.ts';

export interface KafkaTopics {
  readonly names: () => Promise<string[]>;
  /** Throws when one is not there, and names it. */
  readonly require: (topics: readonly string[]) => Promise<void>;
  /** Those that a producer chooses for these keys. */
  readonly partitionsOf: (topic: string, keys: readonly string[]) => Promise<number[]>;
  /** Answers sentences about what stays other than declared; tells of topics that get more partitions. */
  readonly ensure: (topics: readonly TopicDeclaration[], onGrown: () => void) => Promise<string[]>;
}

/** Which partition a key belongs to; as other producers of Kafka have it, so that they may share a topic. */
export const choosePartitions = Partitioners.DefaultPartitioner;

/** A broker may hear of a topic a little later than the one that was told to make it. */
const lagMs = 1_000;
const madeMs = 8_000;
const lookEveryMs = 50;

export function createKafkaTopics(admin: Link<Admin>, clock: Clock): KafkaTopics {
  /** How many partitions each topic has. */
  const count = (): Promise<Map<string, number>> =>
    admin.use(async (client) => {
      const { topics } = await client.fetchTopicMetadata();
      return new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
    });

  /** The first that is not there; asks for all topics of the cluster only when there is one. */
  const findAbsent = (topics: readonly string[]): Promise<string | undefined> =>
    admin.use(async (client) => {
      try {
        await client.fetchTopicMetadata({ topics: [...topics] });
        return undefined;
      } catch (error) {
        if (!isUnknownTopic(error)) throw error;
        const found = await client.listTopics();
        return topics.find((name) => !found.includes(name));
      }
    });

  const require = async (topics: readonly string[]): Promise<void> => {
    const deadlineMs = clock.nowMs() + lagMs;
    for (let absent = await findAbsent(topics); absent !== undefined; absent = await findAbsent(topics)) {
      if (clock.nowMs() >= deadlineMs) throw unknownTopic(absent);
      await clock.sleep(lookEveryMs);
    }
  };

  const make = async (topics: readonly TopicDeclaration[]): Promise<void> => {
    if (topics.length === 0) return;
    const made = topics.map((topic) => ({
      topic: topic.name,
      numPartitions: topic.partitions,
      replicationFactor: -1, // as the brokers are set
      configEntries: newTopicSettings(topic),
    }));
    await admin.use((client) => client.createTopics({ topics: made, timeout: madeMs, waitForLeaders: false }));
  };

  const grow = async (topics: readonly TopicDeclaration[]): Promise<void> => {
    if (topics.length === 0) return;
    const topicPartitions = topics.map(({ name, partitions }) => ({ topic: name, count: partitions }));
    try {
      await admin.use((client) => client.createPartitions({ topicPartitions, timeout: madeMs }));
    } catch (error) {
      if (!hasType(error, 'INVALID_PARTITIONS')) throw error; // somebody else was quicker
    }
  };

  return {
    names: async () => [...(await count()).keys()].filter((name) => !name.startsWith('__')),
    require,
    partitionsOf: (topic, keys) =>
      admin.use(async (client) => {
        const { topics } = await client.fetchTopicMetadata({ topics: [topic] });
        const partitionMetadata = topics[0]!.partitions;
        const choose = choosePartitions();
        return keys.map((key) => choose({ topic, partitionMetadata, message: { key, value: null } }));
      }),
    ensure: async (topics, onGrown) => {
      const deadlineMs = clock.nowMs() + madeMs;
      let found = await count();
      // Made again until it is seen: others may make the same ones, and brokers hear of it one after the other.
      for (;;) {
        const absent = topics.filter(({ name }) => !found.has(name));
        const small = topics.filter(({ name, partitions }) => (found.get(name) ?? partitions) < partitions);
        if (absent.length === 0 && small.length === 0) break;
        if (clock.nowMs() >= deadlineMs)
          throw new TimedOut({ server: 'Kafka', what: 'make topics', timeoutMs: madeMs });
        await make(absent);
        await grow(small);
        if (small.length > 0) onGrown();
        await clock.sleep(lookEveryMs);
        found = await count();
      }
      const sentences = topics.flatMap(({ name, partitions }) => {
        const existing = found.get(name)!;
        if (existing === partitions) return [];
        return [`The topic ${name} has ${existing} partitions, not ${partitions} as declared; partitions only grow.`];
      });
      return [...sentences, ...(await admin.use((client) => ensureSettings(client, topics)))];
    },
  };
}
