import type { Config } from './settings.ts';

export interface LookupSettings {
  readonly githubApiUrl: string;
  readonly githubToken: string | undefined;
  /** Third parties inside the network may be read too. */
  readonly allowPrivateFetches: boolean;
  /** Only releases dated within the last so many days are announced. */
  readonly backfillDays: number;
}

/** How the releases of a repository are read when somebody asks for it. */
export const lookupSettingsOf = (config: Config): LookupSettings => ({
  githubApiUrl: config.GITHUB_API_URL,
  githubToken: config.GITHUB_TOKEN,
  allowPrivateFetches: config.FETCH_ALLOW_PRIVATE_TARGETS,
  backfillDays: config.EMIT_BACKFILL_DAYS,
});
