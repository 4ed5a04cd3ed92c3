import type { Clock } from '../../../ports/clock.ts';
import type { ConsumeOptions, Consumer, ReceivedMessage } from '../../../ports/message-bus.ts';
import { unknownTopic } from '../../dispatch/checked-topics.ts';
import { consumeLimits } from '../../dispatch/consume-limits.ts';
import { createKeyDispatcher } from '../../dispatch/key-dispatcher.ts';
import { commitOf, type HeldPartition, type HeldPartitions } from './held-partitions.ts';
import { createPartitionReading } from './partition-reading.ts';
import { createMembership } from './membership.ts';
import { createOffsetCommits } from './offset-commits.ts';
import type { BusReader } from './reader.ts';
import { createBusWrite } from './write.ts';
import type { EventFollower } from '../sqlite/file-follower.ts';
import { isPassing } from '../sqlite/group-commit.ts';
import type { OpsWriterClient } from '../operational-store/writer-client.ts';

export interface BusConsumerOptions {
  readonly consume: ConsumeOptions;
  /** Its own name among the members of the group. */
  readonly member: string;
  readonly memberTtlMs: number;
  readonly clock: Clock;
  readonly reader: BusReader;
  readonly writer: OpsWriterClient;
  readonly follower: EventFollower;
  readonly deadLetter: (message: ReceivedMessage, error: unknown) => Promise<void>;
}

/** Three loops beside the handlers: which partitions are held, reading these, and saying how far the member is. */
export function startBusConsumer(options: BusConsumerOptions): Consumer {
  const { consume, member, memberTtlMs, clock, reader, writer, follower, deadLetter } = options;
  const { group, topics, handle, onDeadLetter, onDrop = () => {} } = consume;
  const limits = consumeLimits(consume);
  const held: HeldPartitions = new Map();
  const closing = new AbortController();
  const stopped = new AbortController();
  const write = createBusWrite(writer, clock, onDrop, stopped.signal);
  // While closing, one refusal is enough: leases run out, and what was not committed is handed over again.
  const writeLast = createBusWrite(writer, clock, onDrop, closing.signal);
  let closed: Promise<void> | undefined;
  let end: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
  const done = new Promise<void>((resolve, reject) => {
    end = { resolve, reject };
  });

  const stop = (): void => {
    closing.abort();
    stopped.abort();
    reading.wake();
    for (const partition of [...held.values()]) lose(partition);
    dispatcher.close();
  };
  const fail = (error: unknown): void => {
    if (stopped.signal.aborted) return;
    stop();
    end.reject(error);
  };

  const lose = (partition: HeldPartition): void => {
    held.delete(partition.row.id);
    partition.dispatched.lose();
  };
  const release = async (partition: HeldPartition): Promise<void> => {
    await partition.dispatched.giveUp();
    if (held.get(partition.row.id) !== partition) return; // lost meanwhile
    try {
      await writeLast('releasePartition', { group, commit: commitOf(partition) });
      held.delete(partition.row.id);
    } catch (error) {
      if (!isPassing(error)) fail(error);
    }
  };
  const giveUp = (partition: HeldPartition): void => {
    partition.givingUp ??= release(partition);
  };

  const commits = createOffsetCommits({ group, held, write, clock, lose });
  const reading = createPartitionReading(held, reader, follower, clock);
  const dispatcher = createKeyDispatcher({
    limits,
    clock,
    handle,
    deadLetter,
    onDeadLetter,
    onDrop,
    onFinished: commits.note,
    onRoom: reading.wake,
  });
  const membership = createMembership({
    group,
    member,
    topics,
    clock,
    ttlMs: memberTtlMs,
    reader,
    write,
    writeLast,
    held,
    giveUp,
    lose,
    onTaken: (row, { lease, nextOffset }) => {
      const dispatched = dispatcher.open(nextOffset);
      const delayMs = consume.delaysMs?.get(row.topic) ?? 0;
      const partition: HeldPartition = { row, lease, dispatched, delayMs, readFrom: nextOffset, committed: nextOffset };
      held.set(row.id, partition);
      if (closing.signal.aborted) giveUp(partition);
      else reading.wake();
    },
  });

  const run = async (): Promise<void> => {
    const missing = [...topics, consume.deadLetterTopic].find((topic) => reader.partitions(topic).length === 0);
    if (missing !== undefined) throw unknownTopic(missing);
    await Promise.all([
      membership.run(stopped.signal),
      commits.run(stopped.signal),
      reading.run(closing.signal), // a closing member begins nothing new
    ]);
  };
  const running = run().catch(fail);

  const close = async (): Promise<void> => {
    if (stopped.signal.aborted) return;
    closing.abort();
    reading.wake();
    for (const partition of held.values()) giveUp(partition); // from here on nothing begins
    await membership.leave().catch((error: unknown) => {
      if (!isPassing(error)) fail(error);
    });
    await Promise.all([...held.values()].map(async ({ givingUp }) => givingUp));
    stop();
    await running;
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
