import type { LookupSettings } from '../config/lookup-settings.ts';
import { createTargetGuard } from '../delivery/target-guard.ts';
import { createGithubFetcher } from '../ingest/github/github-fetcher.ts';
import type { RepositoryFetcher } from '../ingest/github/repository-fetcher.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Resolver } from '../ports/resolver.ts';

/** Reads GitHub, or says at once that the address of it could never be used. */
export function createGithubReader(
  { http, resolver, clock }: { readonly http: HttpClient; readonly resolver: Resolver; readonly clock: Clock },
  { githubApiUrl, githubToken, allowPrivateFetches }: LookupSettings,
): RepositoryFetcher {
  const targets = createTargetGuard({ resolver, allowPrivate: allowPrivateFetches });
  const refusal = targets.checkForm(githubApiUrl);
  if (refusal !== null) {
    throw new StartupError(
      `GITHUB_API_URL cannot be used: it is refused as ${refusal}. FETCH_ALLOW_PRIVATE_TARGETS=on allows addresses inside the network.`,
    );
  }
  return createGithubFetcher({ http, targets, clock, apiUrl: githubApiUrl, token: githubToken });
}
