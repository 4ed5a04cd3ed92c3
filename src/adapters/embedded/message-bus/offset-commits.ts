import type { Clock } from '../../../ports/clock.ts';
import { commitOf, type HeldLane, type HeldLanes } from './held-partitions.ts';
import type { BusWrite } from './write.ts';

export interface OffsetCommits {
  /** Says how far the member is, over and over. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** A message was finished. */
  readonly note: () => void;
}

/** Bounds how many flushes to disk finished messages cost, and how many are handed over again after a crash. */
const everyMs = 50;

export function createOffsetCommits(
  group: string,
  held: HeldLanes,
  write: BusWrite,
  clock: Clock,
  lose: (lane: HeldLane) => void,
): OffsetCommits {
  let isNoted = false;
  let onNote = (): void => {};

  const noted = (): Promise<void> =>
    new Promise((resolve) => {
      if (isNoted) resolve();
      else onNote = resolve;
    });

  const commit = async (): Promise<void> => {
    const moved = [...held.values()].filter(({ partition, committed }) => partition.next() !== committed);
    if (moved.length === 0) return;
    const commits = moved.map(commitOf);
    const lost = await write('commitOffsets', { group, commits });
    for (const [index, lane] of moved.entries()) {
      lane.committed = commits[index]!.nextOffset;
      if (lost.includes(lane.row.id) && held.get(lane.row.id) === lane) lose(lane);
    }
  };

  return {
    note: () => {
      isNoted = true;
      onNote();
    },
    run: async (stop) => {
      stop.addEventListener('abort', () => onNote(), { once: true });
      while (!stop.aborted) {
        await noted();
        await clock.sleep(everyMs, stop);
        isNoted = false;
        if (!stop.aborted) await commit();
      }
    },
  };
}
