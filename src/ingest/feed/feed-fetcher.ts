import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { answerFailure } from '../answer-failure.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { rememberedPlace } from '../remembered-place.ts';
import type { FetchedSource, FetchMemory, SourceFetcher, SourceToFetch } from '../source-fetcher.ts';
import { askThirdParty, type ThirdPartyAnswer, type ThirdPartyDeps } from '../third-party.ts';
import { decodeText } from './decode-text.ts';
import { conditionsFrom, validatorsIn } from '../validators.ts';
import { feedItems } from './feed-items.ts';
import { findFeedAddress } from './find-feed-address.ts';
import { NoFeed, readFeed, type ReadFeed } from './read-feed.ts';
import { isUrl } from '../../kernel/address/parse-url.ts';

export interface FeedFetcherDeps extends ThirdPartyDeps {
  readonly clock: Clock;
}

export interface FeedFetcher extends SourceFetcher {
  /** Looks on the source's own page for a feed that has moved; the memory to fetch with then, null when it names none. */
  readonly rediscover: (source: SourceToFetch, deadlineMs: number) => Promise<FetchMemory | null>;
}

/** Contract 15.1. Of a longer feed in XML the beginning counts, which has the newest entries. */
const bodyBytesMax = 10 * 1024 * 1024;

const feedTypes =
  'application/feed+json, application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';
const pageTypes = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5';

const configuredAddress = ({ url, metadata }: SourceToFetch): string =>
  typeof metadata['feedUrl'] === 'string' ? metadata['feedUrl'] : url;

/** Where the feed was found, as long as it was looked for from where the source says today. */
const knownAddress = ({ memory }: SourceToFetch, configured: string): string =>
  typeof memory['feedUrl'] === 'string' && memory['foundFrom'] === configured ? memory['feedUrl'] : configured;

const nothingNew = (memory: FetchMemory): FetchedSource => ({
  isNew: false,
  items: [],
  leftOut: [],
  memory,
  changelogs: [],
  stars: null,
  iconUrl: null,
});

/** Reads feeds in every format; where a page stands in its place, the feed that the page names. */
export function createFeedFetcher(deps: FeedFetcherDeps): FeedFetcher {
  const { clock } = deps;

  const ask = (url: string, headers: Record<string, string>, deadlineMs: number): Promise<ThirdPartyAnswer> => {
    if (!isUrl(url)) throw new FetchFailed('unreadable');
    const sent = { 'user-agent': `${serviceName}/${serviceVersion}`, ...headers };
    return askThirdParty(deps, { url, headers: sent, deadlineMs, bodyBytesMax });
  };

  /** A feed, or the page that stands in its place. */
  const readAnswer = (response: ThirdPartyAnswer): ReadFeed | { readonly html: string } => {
    const { status, headers, body, truncated, url: address } = response;
    if (status !== 200 && status !== 203) throw answerFailure(response, clock.nowMs());
    try {
      return readFeed({ bytes: body, contentType: headers['content-type'], address, isWhole: !truncated });
    } catch (error) {
      if (!(error instanceof NoFeed)) throw error;
      if (error.html !== null) return { html: error.html };
      throw new FetchFailed(truncated ? 'too_large' : 'unreadable', status, { cause: error });
    }
  };

  const fetchedFrom = async (feed: ReadFeed, response: HttpResponse, memory: FetchMemory): Promise<FetchedSource> => {
    const { items, leftOut, memory: addresses } = await feedItems(feed, clock, memory);
    // Endless, and nothing in it: what is wrong must not look like a source that is quiet.
    if (response.truncated && items.length === 0) throw new FetchFailed('too_large', response.status);
    const cut = {
      entry: 'the end of the feed',
      reason: `The feed is longer than ${bodyBytesMax} bytes; the rest was not read.`,
    };
    return {
      ...nothingNew({ ...memory, ...addresses, ...validatorsIn(response) }),
      isNew: true,
      items,
      leftOut: response.truncated ? [...leftOut, cut] : leftOut,
    };
  };

  return {
    fetch: async (source, deadlineMs) => {
      const configured = configuredAddress(source);
      const address = knownAddress(source, configured);
      const found = (feedUrl: string): FetchMemory => ({
        ...rememberedPlace(source.memory),
        feedUrl,
        foundFrom: configured,
      });
      // What was remembered of another address says nothing about this one.
      const conditions = source.memory['foundFrom'] === configured ? conditionsFrom(source.memory) : {};
      const response = await ask(address, { accept: feedTypes, ...conditions }, deadlineMs);
      if (response.status === 304) return nothingNew(source.memory);
      const read = readAnswer(response);
      if (!('html' in read)) return fetchedFrom(read, response, found(address));
      const named = findFeedAddress(read.html, response.url);
      if (named === null || named === address) throw new FetchFailed('unreadable', response.status);
      const second = await ask(named, { accept: feedTypes }, deadlineMs);
      const feed = readAnswer(second);
      // Once is enough: a page that names a page leads nowhere.
      if ('html' in feed) throw new FetchFailed('unreadable', second.status);
      return fetchedFrom(feed, second, found(named));
    },

    rediscover: async (source, deadlineMs) => {
      const response = await ask(source.url, { accept: pageTypes }, deadlineMs);
      if (response.status !== 200) throw answerFailure(response, clock.nowMs());
      const html = decodeText(response.body, response.headers['content-type']);
      const feedUrl = findFeedAddress(html, response.url);
      return feedUrl === null
        ? null
        : { ...rememberedPlace(source.memory), feedUrl, foundFrom: configuredAddress(source) };
    },
  };
}
