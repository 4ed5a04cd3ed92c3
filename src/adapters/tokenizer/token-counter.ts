import { textBatches } from '../../concurrency/text-batches.ts';
import type { TokenCounter } from '../../ports/token-counter.ts';
import { createRenewedThread } from '../threads/renewed-thread.ts';
import type { TokenCounterCalls } from './token-counter-thread.ts';

export interface TokenCounterOptions {
  /** The thread ends again and again. Called once; every later count is refused. */
  readonly onFatal: (error: Error) => void;
}

/** Its tables are read from a file of a few megabytes, once; what it counts is cut into pieces that live briefly. */
const youngMbMax = 12;

const messageLimits = { textsMax: 1_000, bytesMax: 1_000_000 };

/**
 * Counts in one thread, which begins with the first text: its tables take a fifth of a second and 20 MB, and a service that is
 * only read never looks into them. When it dies, the counts it had in hand are refused and the next one starts another.
 */
export function createTokenCounter({ onFatal }: TokenCounterOptions): TokenCounter {
  const running = new Set<Promise<number[]>>();
  const thread = createRenewedThread<TokenCounterCalls>({
    name: 'token counter',
    beside: import.meta.url,
    module: 'token-counter-thread',
    youngMbMax,
    onFatal,
  });
  let closing: Promise<void> | undefined;

  const count = async (texts: readonly string[]): Promise<number[]> => {
    const counts: number[] = [];
    for (const batch of textBatches(texts, messageLimits)) counts.push(...(await thread.call('count', batch)));
    return counts;
  };

  const close = async (): Promise<void> => {
    await Promise.allSettled(running);
    await thread.close();
  };

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
