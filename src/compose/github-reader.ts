import type { LookupSettings } from '../config/lookup-settings.ts';
import { createTargetGuard } from '../delivery/target-guard.ts';
import { createGithubFetcher } from '../ingest/github/github-fetcher.ts';
import type { RepositoryFetcher } from '../ingest/github/repository-fetcher.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Resolver } from '../ports/resolver.ts';
import { assertUsable } from './usable-address.ts';

/** Reads GitHub, or says at once that the address of it could never be used. */
export function createGithubReader(
  { http, resolver, clock }: { readonly http: HttpClient; readonly resolver: Resolver; readonly clock: Clock },
  { githubApiUrl, githubToken, allowPrivateFetches }: LookupSettings,
): RepositoryFetcher {
  const targets = createTargetGuard({ resolver, allowPrivate: allowPrivateFetches });
  assertUsable(targets, { GITHUB_API_URL: githubApiUrl });
  return createGithubFetcher({ http, targets, clock, apiUrl: githubApiUrl, token: githubToken });
}
