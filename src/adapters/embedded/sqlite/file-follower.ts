import { BroadcastChannel } from 'node:worker_threads';

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
const pollMs = 25;

export function createEventFollower(channelName: string, dataVersion: () => number): EventFollower {
  const waiting = new Set<() => void>();
  let wakes = 0;
  let seen = dataVersion();
  let poll: NodeJS.Timeout | undefined;

  const wake = (): void => {
    wakes += 1;
    clearInterval(poll);
    poll = undefined;
    const woken = [...waiting];
    waiting.clear();
    for (const resolve of woken) resolve();
  };
  const look = (): void => {
    const version = dataVersion();
    if (version === seen) return;
    seen = version;
    wake();
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
        poll ??= setInterval(look, pollMs);
      });
    },
    wake,
    close: () => {
      announcements.close();
      wake();
    },
  };
}
