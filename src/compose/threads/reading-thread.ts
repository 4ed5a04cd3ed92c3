import { createRenewedThread } from '../../adapters/threads/renewed-thread.ts';
import type { FetchSettings } from '../../config/fetch-settings.ts';
import type { ContentProvider } from '../../generation/content-provider.ts';
import { FetchFailed } from '../../ingest/fetch-failed.ts';
import type { Fetchers, FetchWay, RoutedFetcher } from '../../ingest/fetch-routing.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReadAnswer, ReadingThreadCalls } from './reading-worker.ts';

export interface ReadingThread {
  readonly fetchers: Required<Fetchers>;
  readonly extractive: ContentProvider;
  /** Whoever waits for a third party gets no answer any more. */
  readonly close: () => Promise<void>;
}

/** A fetch is given up after a minute (contract 15.1); what still runs then has no end. */
const stuckAfterMs = 75_000;
const youngMbMax = 24;

const found = <Found>(answer: ReadAnswer<Found>): Found => {
  if ('found' in answer) return answer.found;
  const { reason, status, retryAfterMs, sentence } = answer.failure;
  throw new FetchFailed(reason, status, { retryAfterMs, sentence });
};

/**
 * Reads third parties, and picks sentences out of releases, in a thread of its own: a page of some megabytes takes
 * seconds to be read, which those who answer requests do not have. It starts with the first thing to read.
 */
export function createReadingThread(options: {
  readonly settings: FetchSettings;
  readonly clock: Clock;
  readonly onFatal: (error: Error) => void;
}): ReadingThread {
  const { settings, clock, onFatal } = options;
  const thread = createRenewedThread<ReadingThreadCalls>({
    name: 'reading',
    beside: import.meta.url,
    module: 'reading-worker',
    workerData: settings,
    onFatal,
    stuckAfterMs,
    youngMbMax,
  });
  const leftOf = (deadlineMs: number): number => deadlineMs - clock.nowMs();
  const fetcherBy = (way: FetchWay): RoutedFetcher => ({
    fetch: async (source, deadlineMs) =>
      found(await thread.call('fetch', { way, source, withinMs: leftOf(deadlineMs) })),
    rediscover: async (source, deadlineMs) =>
      found(await thread.call('rediscover', { way, source, withinMs: leftOf(deadlineMs) })),
  });
  return {
    fetchers: {
      github: fetcherBy('github'),
      appstore: fetcherBy('appstore'),
      feed: fetcherBy('feed'),
      video: fetcherBy('video'),
      scrape: fetcherBy('scrape'),
    },
    extractive: {
      overviewOf: (...asked) => thread.call('overviewOf', asked),
      summaryOf: (...asked) => thread.call('summaryOf', asked),
    },
    close: thread.stop,
  };
}
