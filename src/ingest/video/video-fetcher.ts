import { videoProviderOf } from '../../domain/source/detect-type.ts';
import { FetchFailed } from '../fetch-failed.ts';
import type { FeedFetcher } from '../feed/feed-fetcher.ts';
import type { SourceFetcher, SourceToFetch } from '../source-fetcher.ts';
import { type ChannelQuery, channelQuery, queryInFeedAddress } from './channel-feed.ts';

export interface VideoFetcherDeps {
  readonly feeds: FeedFetcher;
  /** Where the feeds of channels are read, without a query. */
  readonly feedUrl: string;
}

const providerOf = ({ url, metadata }: SourceToFetch): unknown =>
  (metadata['video'] as { readonly provider?: unknown } | null | undefined)?.provider ?? videoProviderOf(url);

const rememberedQuery = ({ url, memory }: SourceToFetch): ChannelQuery | null =>
  typeof memory['channel'] === 'string' && memory['channelOf'] === url ? memory['channel'] : null;

/** Reads the newest videos of a channel from its feed. */
export function createVideoFetcher({ feeds, feedUrl }: VideoFetcherDeps): SourceFetcher {
  async function findQuery(source: SourceToFetch, deadlineMs: number): Promise<ChannelQuery> {
    const found = await feeds.rediscover(source, deadlineMs);
    const query = found === null ? null : queryInFeedAddress(String(found['feedUrl']));
    if (query === null) throw new FetchFailed('unreadable', 200);
    return query;
  }

  return {
    fetch: async (source, deadlineMs) => {
      // Others have no feeds in one place; their pages name them.
      if (providerOf(source) !== 'youtube') return feeds.fetch(source, deadlineMs);
      const query =
        channelQuery(source.url, source.metadata) ?? rememberedQuery(source) ?? (await findQuery(source, deadlineMs));
      const metadata = { ...source.metadata, feedUrl: `${feedUrl}?${query}` };
      const fetched = await feeds.fetch({ ...source, metadata }, deadlineMs);
      return { ...fetched, memory: { ...fetched.memory, channel: query, channelOf: source.url } };
    },
  };
}
