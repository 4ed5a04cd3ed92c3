import { createRestartAllowance } from './restart-allowance.ts';
import type { ThreadCalls } from './thread-messages.ts';
import { type Calling, startThread, type Thread, type ThreadOptions } from './thread.ts';

export interface RenewedThreadOptions extends Omit<ThreadOptions, 'onExit' | 'transfer' | 'signal'> {
  /** The thread ends again and again. Called once; every later call is refused. Without it another is always started. */
  readonly onFatal?: (error: Error) => void;
  /** A call that has no answer by then is stuck: its thread is ended, with all that it has in hand. */
  readonly stuckAfterMs?: number;
}

export interface RenewedThread<Calls extends ThreadCalls> extends Pick<Calling<Calls>, 'call'> {
  /** Whether one is there that may keep something open. */
  readonly isStarted: () => boolean;
  /** Lets the calls in hand finish. May be called twice. */
  readonly close: () => Promise<void>;
  /** Breaks off the calls in hand. */
  readonly stop: () => Promise<void>;
}

const restartsMax = 3;
const restartWindowMs = 60_000;

/**
 * A thread that keeps nothing between two calls, started by the first of them. When it dies, the calls it had in hand
 * are refused and the next one starts another.
 */
export function createRenewedThread<Calls extends ThreadCalls>(options: RenewedThreadOptions): RenewedThread<Calls> {
  const { name, onFatal, stuckAfterMs } = options;
  // The first start is none, and those that follow deaths are counted.
  const restarts = createRestartAllowance(restartsMax + 1, restartWindowMs);
  let current: Promise<Thread<Calls>> | undefined;
  let lastFailure: unknown;
  let fatal: Error | undefined;
  let isClosed = false;

  const start = (): Promise<Thread<Calls>> => {
    const forget = (reason: unknown) => {
      lastFailure = reason;
      if (current === starting) current = undefined;
    };
    const starting = startThread<Calls>({ ...options, onExit: forget });
    starting.catch(forget);
    current = starting;
    return starting;
  };

  const thread = async (): Promise<Thread<Calls>> => {
    if (isClosed) throw new Error(`The ${name} thread is closed.`);
    if (current !== undefined) return current;
    if (fatal !== undefined) throw fatal;
    if (onFatal === undefined || restarts.take(performance.now())) return start();
    fatal = new Error(`The ${name} thread ended more than ${restartsMax} times in a minute.`, { cause: lastFailure });
    onFatal(fatal);
    throw fatal;
  };

  const unlessStuck = async <T>(called: Thread<Calls>, answer: Promise<T>): Promise<T> => {
    if (stuckAfterMs === undefined) return answer;
    const used = current;
    const giveUp = () => {
      if (current === used) current = undefined;
      lastFailure = new Error(`The ${name} thread did not answer within ${stuckAfterMs} ms.`);
      void called.stop();
    };
    const timer = setTimeout(giveUp, stuckAfterMs);
    return answer.finally(() => clearTimeout(timer));
  };

  const end = async (how: 'close' | 'stop'): Promise<void> => {
    isClosed = true;
    const last = await current?.catch(() => undefined); // whoever called it was told why it could not start
    await last?.[how]();
  };

  return {
    isStarted: () => current !== undefined,
    call: async (...call) => {
      const called = await thread();
      return unlessStuck(called, called.call(...call));
    },
    close: () => end('close'),
    stop: () => end('stop'),
  };
}
