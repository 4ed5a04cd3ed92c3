import type { Config } from './settings.ts';

export interface EmbeddingSettings {
  readonly embedder: Config['EMBEDDER'];
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Undefined: the endpoint is asked. */
  readonly dimensions: number | undefined;
  /** The endpoint may be inside the network. */
  readonly allowPrivateFetches: boolean;
}

/** Who turns texts into vectors. */
export const embeddingSettingsOf = (config: Config): EmbeddingSettings => ({
  embedder: config.EMBEDDER,
  baseUrl: config.EMBEDDING_BASE_URL,
  apiKey: config.EMBEDDING_API_KEY,
  model: config.EMBEDDING_MODEL,
  dimensions: config.EMBEDDING_DIMENSIONS,
  allowPrivateFetches: config.FETCH_ALLOW_PRIVATE_TARGETS,
});
