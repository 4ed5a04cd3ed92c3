import type { FetchSettings } from '../config/fetch-settings.ts';
import { createTargetGuard, type TargetGuard } from '../delivery/target-guard.ts';
import { createAppStoreFetcher } from '../ingest/appstore/app-store-fetcher.ts';
import { createFeedFetcher } from '../ingest/feed/feed-fetcher.ts';
import type { Fetchers } from '../ingest/fetch-routing.ts';
import { createGithubSourceFetcher } from '../ingest/github/github-source-fetcher.ts';
import { createHostTurns } from '../ingest/host-turns.ts';
import { createScrapeFetcher } from '../ingest/scrape/scrape-fetcher.ts';
import type { ThirdPartyDeps } from '../ingest/third-party.ts';
import { createVideoFetcher } from '../ingest/video/video-fetcher.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Resolver } from '../ports/resolver.ts';
import { assertUsable } from './usable-address.ts';

interface SourceFetchersDeps {
  readonly http: HttpClient;
  readonly resolver: Resolver;
  readonly clock: Clock;
}

const targetsOf = (resolver: Resolver, { allowPrivateFetches: allowPrivate }: FetchSettings): TargetGuard =>
  createTargetGuard({ resolver, allowPrivate });

/** Says at once that an address could never be used. */
export const assertFetchable = (resolver: Resolver, settings: FetchSettings): void =>
  assertUsable(targetsOf(resolver, settings), {
    GITHUB_API_URL: settings.githubApiUrl,
    GITHUB_RAW_URL: settings.githubRawUrl,
    APPSTORE_URL: settings.appStoreUrl,
    VIDEO_FEED_URL: settings.videoFeedUrl,
  });

/** The ways out that all fetches of a process share. */
export function createSourceFetchers(
  { http, resolver, clock }: SourceFetchersDeps,
  settings: FetchSettings,
): Required<Fetchers> {
  assertFetchable(resolver, settings);
  const targets = targetsOf(resolver, settings);
  const { githubApiUrl: apiUrl, githubRawUrl: rawUrl, appStoreUrl: storeUrl, githubToken: token } = settings;
  const { videoFeedUrl } = settings;
  const hosts = createHostTurns(clock, settings.perHostMax);
  const deps = { http, targets, clock, hosts } satisfies ThirdPartyDeps;
  const feed = createFeedFetcher(deps);
  return {
    github: createGithubSourceFetcher({ ...deps, apiUrl, rawUrl, token }),
    appstore: createAppStoreFetcher({ ...deps, storeUrl }),
    feed,
    video: createVideoFetcher({ feeds: feed, feedUrl: videoFeedUrl }),
    scrape: createScrapeFetcher(deps),
  };
}
