import type { TokenCounter } from '../../ports/token-counter.ts';
import { startThread, type Thread } from '../threads/thread.ts';
import { createRestartAllowance } from '../threads/restart-allowance.ts';
import { textBatches } from './text-batches.ts';
import type { TokenCounterCalls } from './token-counter-thread.ts';

export interface TokenCounterOptions {
  /** The thread ends again and again. Called once; every later count is refused. */
  readonly onFatal: (error: Error) => void;
}

const restartsMax = 3;
const restartWindowMs = 60_000;

/**
 * Counts in one thread. When it dies, the counts it had in hand are refused and the next one starts another thread.
 */
export async function createTokenCounter({ onFatal }: TokenCounterOptions): Promise<TokenCounter> {
  const restarts = createRestartAllowance(restartsMax, restartWindowMs);
  const running = new Set<Promise<number[]>>();
  let current: Promise<Thread<TokenCounterCalls>> | undefined;
  let lastFailure: unknown;
  let fatal: Error | undefined;
  let closing: Promise<void> | undefined;

  const start = (): Promise<Thread<TokenCounterCalls>> => {
    const forget = (reason: unknown) => {
      lastFailure = reason;
      if (current === starting) current = undefined;
    };
    const starting = startThread<TokenCounterCalls>({
      name: 'token counter',
      beside: import.meta.url,
      module: 'token-counter-thread',
      onExit: forget,
    });
    starting.catch(forget);
    current = starting;
    return starting;
  };

  const thread = async (): Promise<Thread<TokenCounterCalls>> => {
    if (current !== undefined) return current;
    if (fatal !== undefined) throw fatal;
    if (restarts.take(performance.now())) return start();
    fatal = new Error(`The token counter thread ended more than ${restartsMax} times in a minute.`, {
      cause: lastFailure,
    });
    onFatal(fatal);
    throw fatal;
  };

  const count = async (texts: readonly string[]): Promise<number[]> => {
    const counts: number[] = [];
    for (const batch of textBatches(texts)) {
      const { call } = await thread();
      counts.push(...(await call('count', batch)));
    }
    return counts;
  };

  const close = async (): Promise<void> => {
    await Promise.allSettled(running);
    await (await current)?.close();
  };

  await start();
  return {
    countMany: (texts) => {
      if (closing !== undefined) return Promise.reject(new Error('The token counter is closed.'));
      const run = count(texts).finally(() => running.delete(run));
      running.add(run);
      return run;
    },
    close: () => (closing ??= close()),
  };
}
