import { type LookupSettings, lookupSettingsOf } from './lookup-settings.ts';
import type { Config } from './settings.ts';

export interface FetchSettings extends LookupSettings {
  readonly githubRawUrl: string;
  readonly appStoreUrl: string;
  readonly videoFeedUrl: string;
  /** Sources of one host, and requests there, at once; 0 lifts the limit. */
  readonly perHostMax: number;
  /** Else only what somebody asks for is fetched. */
  readonly isScheduleOn: boolean;
  readonly atOnceMax: number;
}

/** How sources are fetched. */
export const fetchSettingsOf = (config: Config): FetchSettings => ({
  ...lookupSettingsOf(config),
  githubRawUrl: config.GITHUB_RAW_URL,
  appStoreUrl: config.APPSTORE_URL,
  videoFeedUrl: config.VIDEO_FEED_URL,
  perHostMax: config.FETCH_PER_HOST,
  isScheduleOn: config.FETCH_SCHEDULE,
  atOnceMax: config.FETCH_CONCURRENCY,
});
