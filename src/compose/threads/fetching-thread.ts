import type { Stores } from '../stores/stores.ts';
import type { FetchingThreadCalls, FetchingThreadData, SharedWithFetching } from './fetching-worker.ts';
import { startSupervisedThread, type ThreadSupervision } from './supervised-thread.ts';

export interface FetchingThread {
  /** Something is due that was not a moment ago. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

const youngMbMax = 24;

/**
 * Fetching and writing about releases share a thread: neither may take time from those who answer requests. Nobody waits for
 * its start.
 */
export function beginFetchingThread(
  options: ThreadSupervision &
    Pick<Stores, 'shareOpsWriter' | 'shareEventWriter'> & { readonly data: FetchingThreadData },
): FetchingThread {
  const { shareOpsWriter, shareEventWriter, ...rest } = options;
  const closing = new AbortController();
  const starting = startSupervisedThread<FetchingThreadCalls>({
    ...rest,
    role: 'fetching',
    name: 'the thread of the fetcher',
    youngMbMax,
    signal: closing.signal,
    handOver: () => {
      const writers = { events: shareEventWriter(), ops: shareOpsWriter() };
      const transfer = [writers.events, writers.ops?.port].filter((port) => port != null);
      return { data: { writers } satisfies SharedWithFetching, transfer };
    },
  });
  starting.catch((error: Error) => {
    if (!closing.signal.aborted) rest.onFatal(error);
  });
  const started = starting.catch(() => null);
  const wake = async (): Promise<void> => {
    const thread = await started;
    if (thread?.isServing()) await thread.serving().call('wake', null);
  };
  return {
    // One that dies over it is started again, and looks by itself what is due.
    wake: () => void wake().catch(() => undefined),
    close: async () => {
      closing.abort();
      await (await started)?.close();
    },
  };
}
