import type { Stores } from '../stores/stores.ts';
import type { FetchingThreadCalls, FetchingThreadData, SharedWithFetching } from './fetching-worker.ts';
import { beginSupervisedThread, type BegunThreadOptions } from './begun-thread.ts';
import type { ThreadSupervision } from './supervised-thread.ts';

export interface FetchingThread {
  /** Something is due that was not a moment ago. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

const youngMbMax = 24;

export interface FetchingThreadOptions
  extends ThreadSupervision,
    Pick<BegunThreadOptions, 'after'>,
    Pick<Stores, 'shareOpsWriter' | 'shareEventWriter'> {
  readonly data: FetchingThreadData;
}

/**
 * Fetching and writing about releases share a thread: neither may take time from those who answer requests. Nobody waits for
 * its start.
 */
export function beginFetchingThread(options: FetchingThreadOptions): FetchingThread {
  const { shareOpsWriter, shareEventWriter, ...rest } = options;
  const begun = beginSupervisedThread<FetchingThreadCalls>({
    ...rest,
    role: 'fetching',
    name: 'the thread of the fetcher',
    youngMbMax,
    handOver: () => {
      const writers = { events: shareEventWriter(), ops: shareOpsWriter() };
      const transfer = [writers.events, writers.ops?.port].filter((port) => port != null);
      return { data: { writers } satisfies SharedWithFetching, transfer };
    },
  });
  const wake = async (): Promise<void> => {
    const thread = begun.running(); // one that starts looks by itself what is due
    if (thread?.isServing()) await thread.serving().call('wake', null);
  };
  return {
    // One that dies over it is started again, and looks by itself what is due.
    wake: () => void wake().catch(() => undefined),
    close: begun.close,
  };
}
