import type { Clock } from '../../../ports/clock.ts';
import { commitOf, type HeldPartition, type HeldPartitions } from './held-partitions.ts';
import type { BusWrite } from './write.ts';

export interface OffsetCommits {
  /** Says how far the member is, over and over. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** A message was finished. */
  readonly note: () => void;
}

/** Bounds how many flushes to disk finished messages cost, and how many are handed over again after a crash. */
const everyMs = 50;

export function createOffsetCommits(deps: {
  readonly group: string;
  readonly held: HeldPartitions;
  readonly write: BusWrite;
  readonly clock: Clock;
  readonly lose: (partition: HeldPartition) => void;
}): OffsetCommits {
  const { group, held, write, clock, lose } = deps;
  let isNoted = false;
  let onNote = (): void => {};

  const noted = (): Promise<void> =>
    new Promise((resolve) => {
      if (isNoted) resolve();
      else onNote = resolve;
    });

  const commit = async (): Promise<void> => {
    const moved = [...held.values()].filter(({ dispatched, committed }) => dispatched.next() !== committed);
    if (moved.length === 0) return;
    const commits = moved.map(commitOf);
    const lost = await write('commitOffsets', { group, commits });
    for (const [index, partition] of moved.entries()) {
      partition.committed = commits[index]!.nextOffset;
      if (lost.includes(partition.row.id) && held.get(partition.row.id) === partition) lose(partition);
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
