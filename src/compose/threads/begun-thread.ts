import type { ThreadCalls } from '../../adapters/threads/thread-messages.ts';
import { startSupervisedThread, type SupervisedThread, type SupervisedThreadOptions } from './supervised-thread.ts';

export interface BegunThread<Calls extends ThreadCalls> {
  /** Null until it has started. */
  readonly running: () => SupervisedThread<Calls> | null;
  /** When it has; null where it never will. */
  readonly started: Promise<SupervisedThread<Calls> | null>;
  /** For how long its first start has been going on; 0 before that has begun, and once it has started. */
  readonly startingMs: () => number;
  readonly close: () => Promise<void>;
}

export interface BegunThreadOptions extends Omit<SupervisedThreadOptions, 'signal'> {
  /** It begins when this has resolved: those who wait for that need the processor. */
  readonly after: Promise<void>;
}

/** A supervised thread whose start nobody waits for. If it cannot start, the process ends with the reason. */
export function beginSupervisedThread<Calls extends ThreadCalls>(options: BegunThreadOptions): BegunThread<Calls> {
  const { after, ...supervised } = options;
  const { clock, onFatal } = supervised;
  const closing = new AbortController();
  let begunMs: number | null = null;
  let thread: SupervisedThread<Calls> | null = null;

  async function start(): Promise<SupervisedThread<Calls>> {
    await after;
    closing.signal.throwIfAborted();
    begunMs = clock.nowMs();
    return startSupervisedThread<Calls>({ ...supervised, signal: closing.signal });
  }

  const started = start().then(
    (running) => {
      thread = running;
      return running;
    },
    (error: Error) => {
      if (!closing.signal.aborted) onFatal(error);
      return null;
    },
  );

  return {
    running: () => thread,
    started,
    startingMs: () => (begunMs === null || thread !== null ? 0 : clock.nowMs() - begunMs),
    close: async () => {
      closing.abort();
      if (begunMs === null) return; // nor will it
      await (await started)?.close();
    },
  };
}
