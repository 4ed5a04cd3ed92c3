import type { Clock } from '../../ports/clock.ts';
import type { DispatchedPartition, UntriedMessage } from '../dispatch/dispatched-partition.ts';
import type { DueQueue } from '../dispatch/due-queue.ts';
import type { KeyDispatcher } from '../dispatch/key-dispatcher.ts';

/** A partition that the group gave this member, of which messages have come. */
export interface HeldPartition {
  readonly topic: string;
  readonly partition: number;
  readonly dispatched: DispatchedPartition;
  /** What is read is behind it. */
  readFrom: number;
  committed: number;
}

interface ReadPartition extends HeldPartition {
  readonly delayMs: number;
  /** Read and not handed over, since it is not due or there is no room; from `head` on. */
  backlog: UntriedMessage[];
  head: number;
  isPaused: boolean;
  isTimed: boolean;
}

export interface HeldPartitionsOptions {
  readonly dispatcher: KeyDispatcher;
  readonly clock: Clock;
  /** For what is not due yet. */
  readonly later: DueQueue;
  readonly delaysMs: ReadonlyMap<string, number>;
  readonly pause: (topic: string, partition: number) => void;
  readonly resume: (topic: string, partition: number) => void;
}

export interface HeldPartitions {
  readonly all: () => readonly HeldPartition[];
  /** Messages of a partition that this member has, in their order. */
  readonly take: (topic: string, partition: number, messages: readonly UntriedMessage[], endOffset: number) => void;
  /** There is room where there was none. */
  readonly handOver: () => void;
  /** Loses those that are not named. */
  readonly keep: (isKept: (held: HeldPartition) => boolean) => void;
  /** Begins nothing more; resolves when what had begun has ended. */
  readonly drain: () => Promise<void>;
}

/** It looks again then: a timer takes no more than 24 days. */
const timerMsMax = 3_600_000;

/** Reading is paused while what was read waits, so that each partition has at most one fetch in memory. */
export function createHeldPartitions(options: HeldPartitionsOptions): HeldPartitions {
  const { dispatcher, clock, later, delaysMs, pause, resume } = options;
  const held = new Map<string, ReadPartition>();
  const idOf = (topic: string, partition: number): string => `${topic} ${partition}`;
  const isHeld = (own: ReadPartition): boolean => held.get(idOf(own.topic, own.partition)) === own;
  let isDraining = false;

  const open = (topic: string, partition: number, startOffset: number): ReadPartition => {
    const own: ReadPartition = {
      topic,
      partition,
      dispatched: dispatcher.open(startOffset),
      delayMs: delaysMs.get(topic) ?? 0,
      readFrom: startOffset,
      committed: startOffset,
      backlog: [],
      head: 0,
      isPaused: false,
      isTimed: false,
    };
    held.set(idOf(topic, partition), own);
    return own;
  };

  const lose = (own: ReadPartition): void => {
    held.delete(idOf(own.topic, own.partition));
    own.dispatched.lose();
    own.backlog = [];
    if (own.isPaused) resume(own.topic, own.partition); // it may come back one day
  };

  const handOverDue = (own: ReadPartition): void => {
    for (let next = own.backlog[own.head]; next !== undefined; next = own.backlog[own.head]) {
      const waitMs = own.delayMs === 0 ? 0 : next.producedAtMs + own.delayMs - clock.nowMs();
      if (waitMs > 0) {
        waitFor(own, waitMs);
        return;
      }
      if (!own.dispatched.hasRoom()) return;
      own.head += 1;
      own.dispatched.add(next);
    }
    [own.backlog, own.head] = [[], 0];
  };

  const waitFor = (own: ReadPartition, waitMs: number): void => {
    if (own.isTimed) return;
    own.isTimed = true;
    later.add(Math.min(waitMs, timerMsMax), () => {
      own.isTimed = false;
      handOver(own);
    });
  };

  const handOver = (own: ReadPartition): void => {
    if (isDraining || !isHeld(own)) return;
    handOverDue(own);
    const isFull = own.backlog.length > 0;
    if (isFull === own.isPaused) return;
    own.isPaused = isFull;
    if (isFull) pause(own.topic, own.partition);
    else resume(own.topic, own.partition);
  };

  return {
    all: () => [...held.values()],
    take: (topic, partition, messages, endOffset) => {
      const [first] = messages;
      if (first === undefined) return;
      let own = held.get(idOf(topic, partition));
      if (own !== undefined && endOffset < own.readFrom) {
        lose(own); // the topic was made anew, and its offsets begin again
        own = undefined;
      }
      own ??= open(topic, partition, first.offset);
      for (const message of messages) {
        if (message.offset < own.readFrom) continue; // read twice
        own.backlog.push(message);
        own.readFrom = message.offset + 1;
      }
      handOver(own);
    },
    handOver: () => {
      for (const own of held.values()) if (own.backlog.length > 0) handOver(own);
    },
    keep: (isKept) => {
      for (const own of [...held.values()]) if (!isKept(own)) lose(own);
    },
    drain: async () => {
      isDraining = true;
      await Promise.all([...held.values()].map(({ dispatched }) => dispatched.giveUp()));
    },
  };
}
