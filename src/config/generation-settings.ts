import type { Config } from './settings.ts';

export interface GenerationSettings {
  readonly provider: Config['CONTENT_PROVIDER'];
  readonly openAiBaseUrl: string;
  readonly openAiApiKey: string | undefined;
  readonly openAiModel: string;
  readonly openAiTimeoutMs: number;
  readonly enrichmentsPerMinute: number;
  /** The model may run inside the network. */
  readonly allowPrivateFetches: boolean;
}

/** Who writes overviews and summaries, and names releases. */
export const generationSettingsOf = (config: Config): GenerationSettings => ({
  provider: config.CONTENT_PROVIDER,
  openAiBaseUrl: config.OPENAI_BASE_URL,
  openAiApiKey: config.OPENAI_API_KEY,
  openAiModel: config.OPENAI_MODEL,
  openAiTimeoutMs: config.OPENAI_TIMEOUT * 1_000,
  enrichmentsPerMinute: config.ENRICHMENTS_PER_MINUTE,
  allowPrivateFetches: config.FETCH_ALLOW_PRIVATE_TARGETS,
});
