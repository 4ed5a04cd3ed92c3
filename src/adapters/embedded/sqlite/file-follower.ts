import { BroadcastChannel } from 'node:worker_threads';
import { quietPaceMs } from '../../../concurrency/quiet-pace.ts';

/** Wakes those who wait for new events. */
export interface EventFollower {
  /** Taken before reading; what is written after it ends the wait. */
  readonly mark: () => number;
  /** Resolves when something may have been written since the mark, or the signal fires. */
  readonly changedSince: (mark: number, signal: AbortSignal) => Promise<void>;
  /** Lets everyone look again. */
  readonly wake: () => void;
  readonly close: () => void;
}

/** How soon the writes of another process are seen. Those of this one are announced by its writer thread. */
const pollMsMin = 25;
const pollMsMax = 300;

/** Follows what a number stands for that changes with each write. */
export function createEventFollower(channelName: string, version: () => number): EventFollower {
  const waiting = new Set<() => void>();
  let wakes = 0;
  let seen = version();
  let changedMs = performance.now();
  let poll: NodeJS.Timeout | undefined;

  const wake = (): void => {
    wakes += 1;
    clearTimeout(poll);
    poll = undefined;
    const woken = [...waiting];
    waiting.clear();
    for (const resolve of woken) resolve();
  };
  const look = (): void => {
    const current = version();
    if (current === seen) return;
    seen = current;
    changedMs = performance.now();
    wake();
  };
  const pollOn = (): void => {
    poll = setTimeout(
      () => {
        poll = undefined;
        look();
        if (waiting.size > 0 && poll === undefined) pollOn();
      },
      quietPaceMs(performance.now() - changedMs, pollMsMin, pollMsMax),
    );
  };

  const announcements = new BroadcastChannel(channelName);
  announcements.onmessage = look;
  announcements.unref();

  return {
    mark: () => wakes,
    changedSince: async (mark, signal) => {
      if (mark !== wakes || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const end = () => {
          signal.removeEventListener('abort', end);
          waiting.delete(end);
          resolve();
        };
        signal.addEventListener('abort', end);
        waiting.add(end);
        if (poll === undefined) pollOn();
      });
    },
    wake,
    close: () => {
      announcements.close();
      wake();
    },
  };
}
