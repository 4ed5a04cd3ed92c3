import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../ports/clock.ts';
import type { BusMessage, Consumer, MessageBus } from '../../../ports/message-bus.ts';
import type { Random } from '../../../ports/random.ts';
import { checkedBytes, messageBytes } from '../../dispatch/checked-messages.ts';
import { checkedTopics, unknownTopic } from '../../dispatch/checked-topics.ts';
import { deadLetterOf } from '../../dispatch/dead-letter.ts';
import { startBusConsumer } from './consumer.ts';
import { partitionOfKey } from './partition-of-key.ts';
import { type BusReader, createBusReader } from './reader.ts';
import { keepRetention } from './retention.ts';
import { busChannel } from './tables.ts';
import { createEventFollower } from '../sqlite/file-follower.ts';
import { type OpsWriterClient, startOpsWriter } from '../operational-store/writer-client.ts';

export interface EmbeddedMessageBusOptions {
  /** The data folder. */
  readonly folder: string;
  readonly clock: Clock;
  /** Names the members of groups; the system's when absent. */
  readonly random?: Random;
  /** A member that died is noticed and its partitions are taken after this and one look: within 10 s when absent. */
  readonly memberTtlMs?: number;
  /** The writer thread died: nothing can be produced any more, so the process should end. */
  readonly onFatal: (error: Error) => void;
  /** Shared with the operational store; who started it closes it, after the bus. */
  readonly writer?: OpsWriterClient;
}

async function openReader(writer: OpsWriterClient, closeWriter: () => Promise<void>): Promise<BusReader> {
  try {
    return createBusReader(writer.file);
  } catch (error) {
    await closeWriter();
    throw error;
  }
}

/** Topics are tables of the `ops` file: read on the calling thread in short pages, written on the writer thread. */
export async function createEmbeddedMessageBus(options: EmbeddedMessageBusOptions): Promise<MessageBus> {
  const { folder, clock, random, memberTtlMs = 8_000, onFatal, writer: shared } = options;
  let isFatal = false;
  const failOnce = (error: Error): void => {
    if (!isFatal) onFatal(error);
    isFatal = true;
  };
  const writer = shared ?? (await startOpsWriter({ folder, onFatal: failOnce }));
  const closeWriter = async () => {
    if (shared === undefined) await writer.close();
  };
  const reader = await openReader(writer, closeWriter);
  const follower = createEventFollower(busChannel(writer.file), reader.produced);
  const consumers = new Set<Consumer>();
  const stop = new AbortController();
  const retention = keepRetention(clock, reader, writer, stop.signal).catch(failOnce);
  let closing: Promise<void> | undefined;

  const requireOpen = (): void => {
    if (closing !== undefined) throw new Error('The message bus is closed.');
  };
  const memberName = (): string => (random ? Buffer.from(random.bytes(12)).toString('hex') : randomUUID());
  const partitionsOf = (topic: string) => {
    const partitions = reader.partitions(topic);
    if (partitions.length === 0) throw unknownTopic(topic);
    return partitions;
  };
  const store = async (topic: string, messages: readonly BusMessage[], bytes: number): Promise<void> => {
    const outcome = await writer.call('produce', { topic, messages, bytes, nowMs: clock.nowMs() });
    if (outcome === 'unknown_topic') throw unknownTopic(topic);
  };

  const close = async (): Promise<void> => {
    await Promise.all([...consumers].map((consumer) => consumer.close()));
    stop.abort();
    await retention;
    follower.close();
    reader.close();
    await closeWriter(); // last, so that it is the one to empty and remove the log
  };

  return {
    ensureTopics: async (topics) => {
      requireOpen();
      return writer.call('ensureTopics', checkedTopics(topics));
    },
    topics: async () => {
      requireOpen();
      return reader.topics();
    },
    produce: async (topic, messages) => {
      requireOpen();
      await store(topic, messages, checkedBytes(topic, messages));
    },
    consume: (consume) => {
      requireOpen();
      const consumer = startBusConsumer({
        consume,
        member: memberName(),
        memberTtlMs,
        clock,
        reader,
        writer,
        follower,
        // Its headers may make it larger than what can be produced; it must be buried all the same.
        deadLetter: (message, error) => {
          const letter = deadLetterOf(message, error);
          return store(consume.deadLetterTopic, [letter], messageBytes(letter));
        },
      });
      consumers.add(consumer);
      const closeConsumer = async () => {
        await consumer.close();
        consumers.delete(consumer);
      };
      return { done: consumer.done, close: closeConsumer };
    },
    progress: async (group, topics) => {
      requireOpen();
      return topics.flatMap((topic) =>
        partitionsOf(topic).map(({ id, partition, firstOffset, nextOffset }) => {
          const waiting = nextOffset - Math.max(firstOffset, reader.committed(group, id));
          return { topic, partition, waiting };
        }),
      );
    },
    partitionsOf: async (topic, keys) => {
      requireOpen();
      const partitions = partitionsOf(topic);
      return keys.map((key) => partitions[partitionOfKey(key, partitions.length)]!.partition);
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
