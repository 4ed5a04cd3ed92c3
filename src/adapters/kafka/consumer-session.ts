import type { EachBatchPayload } from 'kafkajs';
import type { Clock } from '../../ports/clock.ts';
import type { DueQueue } from '../dispatch/due-queue.ts';
import type { KeyDispatcher } from '../dispatch/key-dispatcher.ts';
import { metadataMaxAgeMs, type NewClient, retry } from './client.ts';
import { withinTime } from '../within-time.ts';
import type { Partitions } from './fair-assignment.ts';
import { createGroupAssigner } from './group-assigner.ts';
import { createHeldPartitions } from './held-partitions.ts';
import { createOffsetCommits, type OffsetToCommit } from './offset-commits.ts';
import { receivedMessage } from './received-message.ts';

/** How soon a group notices what became of its members. */
export interface GroupTimings {
  /** A member that has not been heard of for so long is out. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /** How long the group waits for its members when it shares the partitions anew. */
  readonly rebalanceMs: number;
}

export interface ConsumerSessionOptions {
  readonly newClient: NewClient;
  readonly group: string;
  readonly topics: readonly string[];
  readonly delaysMs: ReadonlyMap<string, number>;
  readonly timings: GroupTimings;
  readonly clock: Clock;
  readonly dispatcher: KeyDispatcher;
  readonly later: DueQueue;
  readonly onDrop: (error: Error) => void;
}

/** One membership in the group, until it is closed or the library gives up on it. */
export interface ConsumerSession {
  /** Why it ended by itself; all its partitions are lost by then. */
  readonly ended: Promise<Error>;
  /** Whether it has been a member. */
  readonly hasJoined: () => boolean;
  readonly onFinished: () => void;
  readonly onRoom: () => void;
  /** Lets what is in hand finish, commits it and leaves. */
  readonly close: () => Promise<void>;
}

/** How long reading rests when all partitions are paused, and so how soon one that was resumed is read again. */
const pollMs = 100;
const fetchBytes = 8 * 1024 * 1024;
/** Also what a partition has in memory beside the messages in hand; a larger message is fetched all the same. */
const fetchBytesPerPartition = 512 * 1024;
const lastCommitMs = 3_000;
const leaveMs = 5_000;

const byTopic = (offsets: readonly OffsetToCommit[]) => {
  const topics = new Map<string, { partition: number; offset: string }[]>();
  for (const { topic, partition, offset } of offsets) {
    topics.set(topic, [...(topics.get(topic) ?? []), { partition, offset }]);
  }
  return { topics: [...topics].map(([topic, partitions]) => ({ topic, partitions })) };
};

export function openConsumerSession(options: ConsumerSessionOptions): ConsumerSession {
  const { newClient, group, topics, delaysMs, timings, clock, dispatcher, later, onDrop } = options;
  const stopped = new AbortController();
  let assignment: Partitions = {};
  let memberId: string | undefined;
  let isClosing = false;
  /** A consumer that was stopped, by the library too, must not be paused. */
  let isRunning = true;
  /** Only a handler is given the commit that does not try again later, when the group may have moved on. */
  let commit: EachBatchPayload['commitOffsetsIfNecessary'] | undefined;

  const consumer = newClient().consumer({
    groupId: group,
    partitionAssigners: [createGroupAssigner(() => assignment)],
    sessionTimeout: timings.sessionMs,
    heartbeatInterval: timings.heartbeatMs,
    rebalanceTimeout: timings.rebalanceMs,
    metadataMaxAge: metadataMaxAgeMs,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: pollMs,
    maxBytes: fetchBytes,
    maxBytesPerPartition: fetchBytesPerPartition,
    retry: { ...retry, restartOnFailure: async () => false }, // a new session begins with a clean slate
  });

  const held = createHeldPartitions({
    dispatcher,
    clock,
    later,
    delaysMs,
    pause: (topic, partition) => {
      if (isRunning) consumer.pause([{ topic, partitions: [partition] }]);
    },
    resume: (topic, partition) => {
      if (isRunning) consumer.resume([{ topic, partitions: [partition] }]);
    },
  });
  const commits = createOffsetCommits({
    clock,
    held: held.all,
    commit: async (offsets) => commit?.(byTopic(offsets)),
    onDrop,
    stopped: stopped.signal,
  });

  let end = (_: Error): void => {};
  const ended = new Promise<Error>((resolve) => {
    end = (error) => {
      stopped.abort();
      held.keep(() => false);
      resolve(error);
    };
  });

  const { CRASH, GROUP_JOIN, REBALANCING, STOP } = consumer.events;
  consumer.on(STOP, () => {
    isRunning = false;
  });
  consumer.on(CRASH, ({ payload }) => end(payload.error));
  // Still in the old order: what was finished is not handed over again by the next owner.
  consumer.on(REBALANCING, () => void commits.commitNow());
  consumer.on(GROUP_JOIN, ({ payload }) => {
    // A member with a new name was out of the group, and others may have had its partitions.
    const isSameMember = payload.memberId === memberId;
    memberId = payload.memberId;
    assignment = payload.memberAssignment;
    held.keep(({ topic, partition }) => isSameMember && (assignment[topic]?.includes(partition) ?? false));
    // The library would begin with what was committed.
    for (const { topic, partition, readFrom } of held.all()) {
      consumer.seek({ topic, partition, offset: String(readFrom) });
    }
    commits.note();
  });

  /** Hands over and returns at once: heartbeats are sent between two calls. */
  const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
    const { batch, resolveOffset, pause, isStale, commitOffsetsIfNecessary } = payload;
    const { topic, partition, highWatermark } = batch;
    commit ??= commitOffsetsIfNecessary;
    if (isClosing) {
      pause();
      return;
    }
    if (isStale() || !assignment[topic]?.includes(partition)) return; // fetched before the group moved on
    const messages = batch.messages.map((message) => receivedMessage(topic, partition, message));
    resolveOffset(batch.lastOffset());
    held.take(topic, partition, messages, Number(highWatermark));
  };

  const start = async (): Promise<void> => {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch });
  };
  const started = start().catch(async (error: unknown) => {
    await consumer.disconnect().catch(() => undefined); // what could not be reached cannot be left in good order
    end(error as Error);
  });

  const lastCommit = async (): Promise<void> => {
    const deadlineMs = clock.nowMs() + lastCommitMs;
    while (!stopped.signal.aborted && !(await commits.commitNow()) && clock.nowMs() < deadlineMs) {
      await clock.sleep(pollMs, stopped.signal); // the group is being shared anew
    }
  };
  /** A consumer that is stopped while it joins would go on for ever. */
  const leave = async (): Promise<void> => {
    await started;
    await consumer.disconnect();
  };

  return {
    ended,
    hasJoined: () => memberId !== undefined,
    onFinished: commits.note,
    onRoom: held.handOver,
    close: async () => {
      isClosing = true;
      await held.drain();
      await lastCommit();
      stopped.abort();
      held.keep(() => false);
      // If the group takes longer, this member leaves it behind the back of who closes.
      await withinTime({ server: 'Kafka', what: 'leave the group', timeoutMs: leaveMs }, leave()).catch(onDrop);
    },
  };
}
