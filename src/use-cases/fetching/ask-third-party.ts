import type { SourceState } from '../../domain/source/state.ts';
import { FetchFailed } from '../../ingest/fetch-failed.ts';
import type { RoutedFetcher } from '../../ingest/fetch-routing.ts';
import type { FetchedSource, FetchMemory, SourceToFetch } from '../../ingest/source-fetcher.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { FetchTrouble } from '../../records/fetch-state.ts';

/** Contract 15.1. */
const withinMs = 60_000;
const clientErrorsMin = 5;

/** Of the time of a fetch, what looking for a source that has moved may take: the rest is for reading it. */
const rediscoveryMs = withinMs / 2;

/** This process ends, and does not wait for a third party any more. */
export class FetchStopped extends Error {
  constructor() {
    super('a fetch was broken off: the process ends');
    this.name = 'FetchStopped';
  }
}

interface Asking {
  readonly clock: Clock;
  readonly fetcher: RoutedFetcher;
  readonly log: Log;
  readonly stop: AbortSignal | undefined;
}

/** Who does not end in time is not waited for: the turn of the source would be over before. */
async function withinTime<T>({ clock, stop }: Asking, endMs: number, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const over = stop === undefined ? ended.signal : AbortSignal.any([stop, ended.signal]);
  const timeout = clock.sleep(endMs - clock.nowMs(), over).then((): never => {
    throw stop?.aborted ? new FetchStopped() : new FetchFailed('timeout');
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    ended.abort('over'); // without a stack, which nobody reads
  }
}

/** It may have moved: then what is found is asked instead, and remembered once it has answered. */
async function movedTo(
  { clock, fetcher, log }: Asking,
  source: SourceToFetch,
  deadlineMs: number,
): Promise<FetchMemory | null> {
  if (fetcher.rediscover === undefined) return null;
  try {
    return await fetcher.rediscover(source, Math.min(deadlineMs, clock.nowMs() + rediscoveryMs));
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    // Its page may be gone while the source itself is there again.
    log.info('a source that may have moved could not be looked for', { sourceId: source.id, reason: error.reason });
    return null;
  }
}

interface Asked {
  readonly sourceId: string;
  readonly source: SourceState;
  readonly memory: FetchMemory;
  readonly trouble: FetchTrouble;
}

/** What a third party tells about a source now. Throws FetchFailed, or FetchStopped. */
export async function fetchFromThirdParty(
  asking: Asking,
  { sourceId, source, memory, trouble }: Asked,
): Promise<FetchedSource> {
  const { clock, fetcher } = asking;
  const { type, url, metadata } = source;
  const deadlineMs = clock.nowMs() + withinMs;
  const asked: SourceToFetch = { id: sourceId, type, url, metadata, memory };
  return withinTime(asking, deadlineMs, async () => {
    const isLost = trouble.clientErrors >= clientErrorsMin;
    const found = isLost ? await movedTo(asking, asked, deadlineMs) : null;
    return fetcher.fetch(found === null ? asked : { ...asked, memory: found }, deadlineMs);
  });
}
