import type { LookupSettings } from '../config/lookup-settings.ts';
import type { Fetchers } from '../ingest/fetch-routing.ts';
import { createLookedUpSource } from '../ingest/github/looked-up-source.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Resolver } from '../ports/resolver.ts';
import { createGithubReader } from './github-reader.ts';

interface FetchersDeps {
  readonly http: HttpClient;
  readonly resolver: Resolver;
  readonly clock: Clock;
}

/** One for each way in which this registry can fetch. */
export const createFetchers = (deps: FetchersDeps, settings: LookupSettings): Fetchers => ({
  github: createLookedUpSource(createGithubReader(deps, settings)),
});
