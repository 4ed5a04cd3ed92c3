import { startThread, type Thread } from '../../adapters/threads/thread.ts';
import type { PackedSources } from '../../catalogue/instants/packed-sources.ts';
import type { ReadReleases } from '../../catalogue/instants/read-releases.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { CatalogueAnswer, CatalogueThreadCalls } from './catalogue-worker.ts';

export interface CatalogueThread {
  readonly readReleases: ReadReleases;
  /** Whoever waits for releases gets none any more. */
  readonly close: () => Promise<void>;
}

type Reader = Thread<CatalogueThreadCalls>;

function answerOf<Answer>(told: CatalogueAnswer<Answer>): Answer {
  if ('unavailable' in told) throw new BackendUnavailable(told.unavailable);
  return told.answer;
}

/**
 * Reads the releases that a catalogue begins with in a thread that is there only meanwhile: the thread that answers requests
 * puts everything else in its place in that time. The first one starts at once, and reads what will most probably be asked
 * for while the program is loaded.
 */
export function beginCatalogueThread(backends: BackendSettings): CatalogueThread {
  const closing = new AbortController();
  const running = new Set<Promise<Reader>>();

  const start = (): Promise<Reader> => {
    const starting = startThread<CatalogueThreadCalls>({
      name: 'catalogue',
      beside: import.meta.url,
      module: 'catalogue-worker',
      workerData: backends,
      onExit: () => undefined, // the call in hand is rejected with the reason
      signal: closing.signal,
    });
    running.add(starting);
    starting.catch(() => running.delete(starting)); // told to who takes it
    return starting;
  };

  let first: Promise<Reader> | null = start();
  const take = (): Promise<Reader> => {
    const taken = first ?? start();
    first = null;
    return taken;
  };

  const end = async (taken: Promise<Reader>): Promise<void> => {
    await (await taken).close();
    running.delete(taken);
  };

  async function* pagesOf(taken: Promise<Reader>, thread: Reader): AsyncGenerator<PackedSources> {
    try {
      for (let asking = thread.call('next', null); ; ) {
        const packed = answerOf(await asking);
        if (packed === null) return;
        asking = thread.call('next', null); // sent while these are put in their places
        asking.catch(() => undefined); // told to who waits for it
        yield packed;
      }
    } finally {
      await end(taken);
    }
  }

  return {
    readReleases: async (model) => {
      const taken = take();
      const thread = await taken;
      try {
        const position = answerOf(await thread.call('begin', model.declaration.generation));
        return { position, pages: pagesOf(taken, thread) };
      } catch (error) {
        await end(taken);
        throw error;
      }
    },
    close: async () => {
      closing.abort();
      const closed = [...running].map(async (starting) => (await starting.catch(() => null))?.close());
      await Promise.all(closed);
    },
  };
}
