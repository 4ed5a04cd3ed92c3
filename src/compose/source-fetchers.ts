import type { FetchSettings } from '../config/fetch-settings.ts';
import { createTargetGuard } from '../delivery/target-guard.ts';
import { createAppStoreFetcher } from '../ingest/appstore/app-store-fetcher.ts';
import { createGithubSourceFetcher } from '../ingest/github/github-source-fetcher.ts';
import { createHostTurns } from '../ingest/host-turns.ts';
import { createScrapeFetcher } from '../ingest/scrape/scrape-fetcher.ts';
import type { SourceFetcher } from '../ingest/source-fetcher.ts';
import type { ThirdPartyDeps } from '../ingest/third-party.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Resolver } from '../ports/resolver.ts';
import { assertUsable } from './usable-address.ts';

export interface SourceFetchersDeps {
  readonly http: HttpClient;
  readonly resolver: Resolver;
  readonly clock: Clock;
}

/** The ways out that all fetches of a process share, or says at once that an address could never be used. */
export function createSourceFetchers(
  { http, resolver, clock }: SourceFetchersDeps,
  settings: FetchSettings,
): { readonly github: SourceFetcher; readonly appstore: SourceFetcher; readonly scrape: SourceFetcher } {
  const targets = createTargetGuard({ resolver, allowPrivate: settings.allowPrivateFetches });
  const { githubApiUrl: apiUrl, githubRawUrl: rawUrl, appStoreUrl: storeUrl, githubToken: token } = settings;
  assertUsable(targets, { GITHUB_API_URL: apiUrl, GITHUB_RAW_URL: rawUrl, APPSTORE_URL: storeUrl });
  const hosts = createHostTurns(clock, settings.perHostMax);
  const deps = { http, targets, clock, hosts } satisfies ThirdPartyDeps;
  return {
    github: createGithubSourceFetcher({ ...deps, apiUrl, rawUrl, token }),
    appstore: createAppStoreFetcher({ ...deps, storeUrl }),
    scrape: createScrapeFetcher(deps),
  };
}
