import { openMiniLmEmbedder } from '../adapters/embedders/minilm/minilm-embedder.ts';
import { openOpenAiEmbedder } from '../adapters/embedders/openai-embedder.ts';
import { openStaticEmbedder } from '../adapters/embedders/static-embedder.ts';
import { systemResolver } from '../adapters/system/resolver.ts';
import type { EmbeddingSettings } from '../config/embedding-settings.ts';
import { createTargetGuard } from '../delivery/target-guard.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { Clock } from '../ports/clock.ts';
import { type Embedder, EmbedderUnavailable } from '../ports/embedder.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Log } from '../ports/log.ts';
import { createEmbedderBreaker, type GuardedEmbedder } from '../search/embedder-breaker.ts';
import { assertUsable } from './usable-address.ts';

export interface Embedders {
  /** Embeds queries and, in the end, every text. */
  readonly best: Embedder;
  /** Of the same space and much faster: for texts that would wait long for the best. Null where there is none. */
  readonly quick: Embedder | null;
  /** The best is a lesser model than is wanted, in whose place it stands: vectors of that one are not made anew. */
  readonly isFallback?: boolean;
  /** Why a lesser model than is wanted embeds queries; null while none does. */
  readonly replacedBecause: () => string | null;
}

export interface EmbedderDeps {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly log: Log;
}

const guardedEmbedders = (best: GuardedEmbedder, quick: Embedder | null): Embedders => ({
  best,
  quick,
  replacedBecause: best.replacedBecause,
});

const plainEmbedders = (deps: EmbedderDeps): Embedders => ({
  best: openStaticEmbedder(deps),
  quick: null,
  replacedBecause: () => null,
});

async function openLocal(deps: EmbedderDeps): Promise<Embedders> {
  const plain = openStaticEmbedder(deps);
  try {
    const embedder = await openMiniLmEmbedder(deps);
    return guardedEmbedders(createEmbedderBreaker({ ...deps, embedder, standIn: plain }), plain);
  } catch (error) {
    if (!(error instanceof EmbedderUnavailable)) throw error;
    deps.log.warn(
      'MiniLM cannot be loaded here; the static model embeds all texts, and searches by meaning find less',
      {
        reason: error.message,
      },
    );
    return { best: plain, quick: null, isFallback: true, replacedBecause: () => error.message };
  }
}

async function openEndpoint({ http, clock, log }: EmbedderDeps, settings: EmbeddingSettings): Promise<Embedders> {
  const { baseUrl, apiKey, model, dimensions, allowPrivateFetches: allowPrivate } = settings;
  const targets = createTargetGuard({ resolver: systemResolver, allowPrivate });
  assertUsable(targets, { EMBEDDING_BASE_URL: baseUrl });
  try {
    const embedder = await openOpenAiEmbedder({ http, targets, clock, baseUrl, apiKey, model, dimensions });
    return guardedEmbedders(createEmbedderBreaker({ embedder, clock, log }), null);
  } catch (error) {
    if (!(error instanceof EmbedderUnavailable)) throw error;
    throw new StartupError(
      `EMBEDDING_BASE_URL gave no vector: ${error.message} With EMBEDDING_DIMENSIONS the service starts without asking.`,
    );
  }
}

/** Null when nothing is embedded. */
export async function openEmbedders(deps: EmbedderDeps, settings: EmbeddingSettings): Promise<Embedders | null> {
  if (settings.embedder === 'off') return null;
  if (settings.embedder === 'static') return plainEmbedders(deps);
  return settings.embedder === 'minilm' ? openLocal(deps) : openEndpoint(deps, settings);
}
