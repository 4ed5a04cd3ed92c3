import type { Clock } from '../../ports/clock.ts';
import { retryDelayMs } from '../dispatch/retry-delay.ts';
import { isRebalance } from './failures.ts';
import type { HeldPartition } from './held-partitions.ts';

export interface OffsetToCommit {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

export interface OffsetCommitsOptions {
  readonly clock: Clock;
  readonly held: () => readonly HeldPartition[];
  readonly commit: (offsets: readonly OffsetToCommit[]) => Promise<void>;
  readonly onDrop: (error: Error) => void;
  readonly stopped: AbortSignal;
}

export interface OffsetCommits {
  /** A message was finished. */
  readonly note: () => void;
  /** Says how far the member is; false when that has to be tried again. */
  readonly commitNow: () => Promise<boolean>;
}

/** Bounds how many requests finished messages cost, and how many are handed over again after a crash. */
const everyMs = 100;

export function createOffsetCommits({ clock, held, commit, onDrop, stopped }: OffsetCommitsOptions): OffsetCommits {
  let isNoted = false;
  let failures = 0;

  const commitNow = async (): Promise<boolean> => {
    const moved = held().flatMap((own) => {
      const next = own.dispatched.next();
      return next === own.committed ? [] : [{ own, next }];
    });
    if (moved.length === 0) return true;
    try {
      await commit(moved.map(({ own: { topic, partition }, next }) => ({ topic, partition, offset: String(next) })));
    } catch (error) {
      failures += 1;
      if (!stopped.aborted && !isRebalance(error)) onDrop(error as Error);
      return false;
    }
    failures = 0;
    for (const { own, next } of moved) own.committed = Math.max(own.committed, next);
    return true;
  };

  const commitLater = async (): Promise<void> => {
    await clock.sleep(failures === 0 ? everyMs : retryDelayMs(failures), stopped);
    isNoted = false;
    if (!stopped.aborted && !(await commitNow())) note();
  };
  const note = (): void => {
    if (isNoted || stopped.aborted) return;
    isNoted = true;
    void commitLater();
  };
  return { note, commitNow };
}
