import { workerData } from 'node:worker_threads';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemResolver } from '../../adapters/system/resolver.ts';
import { serveThread } from '../../adapters/threads/serve-thread.ts';
import { createHttpClient } from '../../adapters/undici/http-client.ts';
import type { FetchSettings } from '../../config/fetch-settings.ts';
import type { ContentProvider } from '../../generation/content-provider.ts';
import { extractiveProvider } from '../../generation/extractive/extractive-provider.ts';
import { FetchFailed, type FetchFailureReason } from '../../ingest/fetch-failed.ts';
import type { FetchWay, RoutedFetcher } from '../../ingest/fetch-routing.ts';
import type { FetchedSource, FetchMemory, SourceToFetch } from '../../ingest/source-fetcher.ts';
import { createSourceFetchers } from '../source-fetchers.ts';

/** Threads have clocks of their own: what is left of the time is told, not when it ends. */
export interface AskedSource {
  readonly way: FetchWay;
  readonly source: SourceToFetch;
  readonly withinMs: number;
}

/** An error would arrive without its fields. */
export interface ToldFailure {
  readonly reason: FetchFailureReason;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly sentence: string | null;
}

export type ReadAnswer<Found> = { readonly found: Found } | { readonly failure: ToldFailure };

export type ReadingThreadCalls = {
  readonly fetch: (asked: AskedSource) => Promise<ReadAnswer<FetchedSource>>;
  readonly rediscover: (asked: AskedSource) => Promise<ReadAnswer<FetchMemory | null>>;
  readonly overviewOf: (asked: Parameters<ContentProvider['overviewOf']>) => ReturnType<ContentProvider['overviewOf']>;
  readonly summaryOf: (asked: Parameters<ContentProvider['summaryOf']>) => ReturnType<ContentProvider['summaryOf']>;
};

async function answered<Found>(read: () => Promise<Found>): Promise<ReadAnswer<Found>> {
  try {
    return { found: await read() };
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    const { reason, status, retryAfterMs, sentence } = error;
    return { failure: { reason, status, retryAfterMs, sentence } };
  }
}

await serveThread<ReadingThreadCalls>(() => {
  const http = createHttpClient();
  const clock = systemClock;
  const fetchers: Required<Readonly<Record<FetchWay, RoutedFetcher>>> = createSourceFetchers(
    { http, resolver: systemResolver, clock },
    workerData as FetchSettings,
  );
  return {
    calls: {
      fetch: ({ way, source, withinMs }) => answered(() => fetchers[way].fetch(source, clock.nowMs() + withinMs)),
      rediscover: ({ way, source, withinMs }) =>
        answered(async () => (await fetchers[way].rediscover?.(source, clock.nowMs() + withinMs)) ?? null),
      overviewOf: (asked) => extractiveProvider.overviewOf(...asked),
      summaryOf: (asked) => extractiveProvider.summaryOf(...asked),
    },
    close: http.close,
  };
});
