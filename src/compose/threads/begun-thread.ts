import type { ThreadCalls } from '../../adapters/threads/thread-messages.ts';
import { startSupervisedThread, type SupervisedThread, type SupervisedThreadOptions } from './supervised-thread.ts';

export interface BegunThread<Calls extends ThreadCalls> {
  /** Null until it has started. */
  readonly running: () => SupervisedThread<Calls> | null;
  /** Throws where it cannot be started, or has not for a while; not before it has begun. */
  readonly checkStart: () => void;
  readonly close: () => Promise<void>;
}

export interface BegunThreadOptions extends Omit<SupervisedThreadOptions, 'signal'> {
  /** It begins when this has resolved: those who wait for that need the processor. */
  readonly after: Promise<void>;
}

/** A start takes a second. In an outage it waits for the end of that, however long. */
const startingMsMax = 10_000;

/** A supervised thread whose start nobody waits for. If it cannot start, the process ends with the reason. */
export function beginSupervisedThread<Calls extends ThreadCalls>(options: BegunThreadOptions): BegunThread<Calls> {
  const { after, ...supervised } = options;
  const { name, clock, log, onFatal, ending } = supervised;
  const closing = new AbortController();
  const signal = AbortSignal.any(ending === undefined ? [closing.signal] : [closing.signal, ending]);
  let begunMs: number | null = null;
  let thread: SupervisedThread<Calls> | null = null;
  let failure: Error | null = null;

  const lateSentence = `${name} has not started yet`;
  const isLate = (): boolean => begunMs !== null && thread === null && clock.nowMs() - begunMs >= startingMsMax;

  async function tellWhenLate(): Promise<void> {
    await clock.sleep(startingMsMax, signal);
    if (!signal.aborted && failure === null && thread === null) log.warn(lateSentence);
  }

  async function start(): Promise<SupervisedThread<Calls>> {
    await after;
    signal.throwIfAborted();
    begunMs = clock.nowMs();
    void tellWhenLate();
    return startSupervisedThread<Calls>({ ...supervised, signal });
  }

  const started = start().then(
    (running) => {
      thread = running;
      return running;
    },
    (error: Error) => {
      failure = error;
      if (!signal.aborted) onFatal(error);
      return null;
    },
  );

  return {
    running: () => thread,
    checkStart: () => {
      if (failure !== null) throw failure;
      if (isLate()) throw new Error(lateSentence);
    },
    close: async () => {
      closing.abort();
      if (begunMs === null) return; // nor will it
      await (await started)?.close();
    },
  };
}
