import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../ports/clock.ts';
import type { HeldPartition, HeldPartitions } from './held-partitions.ts';
import type { BusReader } from './reader.ts';
import type { EventFollower } from '../sqlite/file-follower.ts';

export interface PartitionReading {
  /** Hands over what is there and due, for as long as there is room, over and over. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** There is a partition more, or room where there was none. */
  readonly wake: () => void;
}

/** Then the clock is looked at again: a machine may have been asleep. */
const sleepMsMax = 5_000;

export function createPartitionReading(
  held: HeldPartitions,
  reader: BusReader,
  follower: EventFollower,
  clock: Clock,
): PartitionReading {
  let waiting = new AbortController();

  const canRead = (partition: HeldPartition): boolean =>
    held.get(partition.row.id) === partition && partition.givingUp === undefined && partition.dispatched.hasRoom();

  /** What wakes a member mostly lies in one partition, or in a topic that it does not read. */
  const isBehind = ({ row, readFrom }: HeldPartition): boolean => readFrom < reader.nextOffset(row.id);

  /** One page of one partition; answers whether there is more, and when what had to wait is due. */
  const readPage = async (partition: HeldPartition): Promise<{ isMore: boolean; dueMs: number }> => {
    const { messages, isMore, waitingSinceMs } = reader.page(
      partition.row,
      partition.readFrom,
      clock.nowMs() - partition.delayMs,
    );
    const last = messages.at(-1);
    if (last !== undefined) {
      partition.readFrom = last.offset + 1;
      for (const message of messages) partition.dispatched.add(message);
      await nextTurn();
    }
    return { isMore, dueMs: waitingSinceMs === null ? Number.POSITIVE_INFINITY : waitingSinceMs + partition.delayMs };
  };

  /** Partitions take turns; answers when the first message is due that had to wait. */
  const readPartitions = async (stop: AbortSignal): Promise<number> => {
    let earliestMs = Number.POSITIVE_INFINITY;
    let turn = [...held.values()].filter(isBehind);
    while (turn.length > 0) {
      const unread: HeldPartition[] = [];
      for (const partition of turn) {
        if (stop.aborted || !canRead(partition)) continue;
        const { isMore, dueMs } = await readPage(partition);
        earliestMs = Math.min(earliestMs, dueMs);
        if (isMore) unread.push(partition);
      }
      turn = unread;
    }
    return earliestMs;
  };

  return {
    wake: () => waiting.abort(),
    run: async (stop) => {
      while (!stop.aborted) {
        const own = new AbortController();
        waiting = own;
        const mark = follower.mark();
        const dueMs = await readPartitions(stop);
        if (stop.aborted) return;
        if (Number.isFinite(dueMs)) {
          const sleepMs = Math.min(dueMs - clock.nowMs(), sleepMsMax);
          void clock.sleep(sleepMs, own.signal).then(() => own.abort());
        }
        await follower.changedSince(mark, own.signal);
        own.abort(); // ends the sleep
      }
    },
  };
}
