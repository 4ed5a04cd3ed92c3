import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../ports/clock.ts';
import type { HeldLane, HeldLanes } from './held-partitions.ts';
import type { BusReader } from './reader.ts';
import type { EventFollower } from '../sqlite/file-follower.ts';

export interface LaneReading {
  /** Hands over what is there and due, for as long as there is room, over and over. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** There is a lane more, or room where there was none. */
  readonly wake: () => void;
}

/** A timer takes no more than 24 days. */
const sleepMsMax = 3_600_000;

export function createLaneReading(
  held: HeldLanes,
  reader: BusReader,
  follower: EventFollower,
  clock: Clock,
): LaneReading {
  let waiting = new AbortController();

  const canRead = (lane: HeldLane): boolean =>
    held.get(lane.row.id) === lane && lane.givingUp === undefined && lane.partition.hasRoom();

  /** One page of one lane; answers whether there is more, and when what had to wait is due. */
  const readPage = async (lane: HeldLane): Promise<{ isMore: boolean; dueMs: number }> => {
    const { messages, isMore, waitingSinceMs } = reader.page(lane.row, lane.readFrom, clock.nowMs() - lane.delayMs);
    const last = messages.at(-1);
    if (last !== undefined) {
      lane.readFrom = last.offset + 1;
      for (const message of messages) lane.partition.add(message);
      await nextTurn();
    }
    return { isMore, dueMs: waitingSinceMs === null ? Number.POSITIVE_INFINITY : waitingSinceMs + lane.delayMs };
  };

  /** Lanes take turns; answers when the first message is due that had to wait. */
  const readLanes = async (stop: AbortSignal): Promise<number> => {
    let earliestMs = Number.POSITIVE_INFINITY;
    let turn = [...held.values()];
    while (turn.length > 0) {
      const unread: HeldLane[] = [];
      for (const lane of turn) {
        if (stop.aborted || !canRead(lane)) continue;
        const { isMore, dueMs } = await readPage(lane);
        earliestMs = Math.min(earliestMs, dueMs);
        if (isMore) unread.push(lane);
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
        const dueMs = await readLanes(stop);
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
