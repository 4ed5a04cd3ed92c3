import { type LookupSettings, lookupSettingsOf } from './lookup-settings.ts';
import type { Config } from './settings.ts';

export interface FetchSettings extends LookupSettings {
  /** Else only what somebody asks for is fetched. */
  readonly isScheduleOn: boolean;
  readonly atOnceMax: number;
}

/** How sources are fetched. */
export const fetchSettingsOf = (config: Config): FetchSettings => ({
  ...lookupSettingsOf(config),
  isScheduleOn: config.FETCH_SCHEDULE,
  atOnceMax: config.FETCH_CONCURRENCY,
});
