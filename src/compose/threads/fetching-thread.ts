import type { Stores } from '../stores.ts';
import type { FetchingThreadCalls, FetchingThreadData, SharedWithFetching } from './fetching-worker.ts';
import { startSupervisedThread, type ThreadSupervision } from './supervised-thread.ts';

export interface FetchingThread {
  /** Something is due that was not a moment ago. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

const youngMbMax = 24;

/** Fetching and writing about releases share a thread: neither may take time from those who answer requests. */
export async function startFetchingThread(
  options: ThreadSupervision &
    Pick<Stores, 'shareOpsWriter' | 'shareEventWriter'> & { readonly data: FetchingThreadData },
): Promise<FetchingThread> {
  const { shareOpsWriter, shareEventWriter, ...rest } = options;
  const thread = await startSupervisedThread<FetchingThreadCalls>({
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
  return {
    wake: () => {
      // One that dies is started again, and looks by itself what is due.
      if (thread.isServing())
        thread
          .serving()
          .call('wake', null)
          .catch(() => undefined);
    },
    close: thread.close,
  };
}
