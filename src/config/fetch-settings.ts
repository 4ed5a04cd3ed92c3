import type { Config } from './settings.ts';

export interface FetchSettings {
  readonly githubApiUrl: string;
  readonly githubRawUrl: string;
  readonly githubToken: string | undefined;
  readonly appStoreUrl: string;
  /** Third parties inside the network may be read too. */
  readonly allowPrivateFetches: boolean;
  /** Requests at one host at once; 0 lifts the limit. */
  readonly perHostMax: number;
}

/** How third parties are read that tell about sources. */
export const fetchSettingsOf = (config: Config): FetchSettings => ({
  githubApiUrl: config.GITHUB_API_URL,
  githubRawUrl: config.GITHUB_RAW_URL,
  githubToken: config.GITHUB_TOKEN,
  appStoreUrl: config.APPSTORE_URL,
  allowPrivateFetches: config.FETCH_ALLOW_PRIVATE_TARGETS ?? config.WEBHOOK_ALLOW_PRIVATE_TARGETS,
  perHostMax: config.FETCH_PER_HOST,
});
