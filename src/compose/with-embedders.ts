import { createHttpClient } from '../adapters/undici/http-client.ts';
import type { EmbeddingSettings } from '../config/embedding-settings.ts';
import { type EmbedderDeps, type Embedders, openEmbedders } from './open-embedders.ts';

/** Opens the embedders for one piece of work and closes them whatever comes of it. */
export async function withEmbedders<Result>(
  deps: Omit<EmbedderDeps, 'http'>,
  settings: EmbeddingSettings,
  work: (embedders: Embedders | null) => Promise<Result>,
): Promise<Result> {
  const http = createHttpClient();
  try {
    const embedders = await openEmbedders({ ...deps, http }, settings);
    try {
      return await work(embedders);
    } finally {
      await embedders?.best.close();
    }
  } finally {
    await http.close();
  }
}
