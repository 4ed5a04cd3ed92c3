import type { SourceType } from '../domain/enumerations.ts';
import type { FetchMemory, SourceFetcher, SourceToFetch } from './source-fetcher.ts';

/** The ways of fetching, in the order in which a source is tried to be fetched by them (contract 15.1). */
const fetchWays = ['github', 'appstore', 'feed', 'video', 'scrape'] as const;
export type FetchWay = (typeof fetchWays)[number];

export interface RoutedFetcher extends SourceFetcher {
  /**
   * Looks for where a source has moved to that answers with client errors only. What it finds is the memory to go on
   * with; null when it finds nothing. Ends before `deadlineMs`. Throws FetchFailed.
   */
  readonly rediscover?: (source: SourceToFetch, deadlineMs: number) => Promise<FetchMemory | null>;
}

/** One for each way that this registry can go. */
export type Fetchers = Readonly<Partial<Record<FetchWay, RoutedFetcher>>>;

interface RoutedSource {
  readonly type: SourceType;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const goesBy: Readonly<Record<FetchWay, (source: RoutedSource) => boolean>> = {
  github: ({ type, metadata }) => type === 'github' || isText(metadata['githubUrl']),
  appstore: ({ type }) => type === 'appstore',
  feed: ({ type, metadata }) => type === 'feed' || isText(metadata['feedUrl']),
  video: ({ type }) => type === 'video',
  scrape: ({ type }) => type === 'scrape',
};

/** The first that matches; null for a source that is never fetched. An agent fills its source, whatever else it names. */
export const fetchWayOf = (source: RoutedSource): FetchWay | null =>
  source.type === 'agent' ? null : (fetchWays.find((way) => goesBy[way](source)) ?? null);
