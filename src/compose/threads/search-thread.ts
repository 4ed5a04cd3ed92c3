import type { Thread } from '../../adapters/threads/thread.ts';
import { EmbedderUnavailable } from '../../ports/embedder.ts';
import type { QueryEmbedder } from '../../search/search-reading.ts';
import type { Stores } from '../stores/stores.ts';
import type { SearchThreadCalls, SearchThreadData, SharedWithSearch } from './search-worker.ts';
import { beginSupervisedThread, type BegunThreadOptions } from './begun-thread.ts';
import type { SupervisedThread, ThreadSupervision } from './supervised-thread.ts';

export interface SearchThread {
  /** Null where nothing is embedded. */
  readonly embedder: QueryEmbedder | null;
  /** Whether a lesser model than is wanted embeds queries; null while that is not known. */
  readonly isEmbedderReplaced: () => Promise<boolean | null>;
  /** Throws when the index stands still. */
  readonly check: () => Promise<void>;
  /** How far the index is; null while it is not fed here. */
  readonly position: () => Promise<number | null>;
  readonly close: () => Promise<void>;
}

export interface SearchThreadOptions
  extends ThreadSupervision,
    Pick<BegunThreadOptions, 'after'>,
    Pick<Stores, 'shareOpsWriter'> {
  readonly data: SearchThreadData;
}

/**
 * Indexing and embedding share a thread: neither may take time from those who answer requests, and one process has one
 * embedder. Nobody waits for its start; searches find by words meanwhile.
 */
export function beginSearchThread(options: SearchThreadOptions): SearchThread {
  const { shareOpsWriter, ...rest } = options;
  const begun = beginSupervisedThread<SearchThreadCalls>({
    ...rest,
    role: 'search',
    name: 'the thread of search',
    handOver: () => {
      const opsWriter = shareOpsWriter();
      return { data: { opsWriter } satisfies SharedWithSearch, transfer: opsWriter === null ? [] : [opsWriter.port] };
    },
  });

  /** An error of another thread has lost its class; one that came because the thread ended is an outage of the embedder, too. */
  const unavailable = (running: SupervisedThread<SearchThreadCalls>, error: unknown): unknown => {
    const isOutage = !running.isServing() || (error instanceof Error && error.name === 'EmbedderUnavailable');
    return isOutage ? new EmbedderUnavailable((error as Error).message, { cause: error }) : error;
  };

  const asked = async <Answer>(ask: (running: Thread<SearchThreadCalls>) => Promise<Answer>): Promise<Answer> => {
    const running = begun.running();
    if (running === null || !running.isServing()) throw new EmbedderUnavailable('The embedder is being started.');
    try {
      return await ask(running.serving());
    } catch (error) {
      throw unavailable(running, error);
    }
  };

  const embedder: QueryEmbedder = {
    space: async () => (await asked((running) => running.call('space', null))) ?? '',
    embed: (text) => asked((running) => running.call('embedQuery', text)),
  };

  return {
    embedder: rest.data.embedding.embedder === 'off' ? null : embedder,
    isEmbedderReplaced: async () => (await begun.running()?.serving().call('isEmbedderReplaced', null)) ?? null,
    check: async () => {
      const failure = await begun.running()?.serving().call('failure', null);
      if (failure != null) throw new Error(failure);
    },
    position: async () => (await begun.running()?.serving().call('position', null)) ?? null,
    close: begun.close,
  };
}
