import { generationReads } from '../../projections/all-projections.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { systemResolver } from '../adapters/system/resolver.ts';
import type { GenerationSettings } from '../config/generation-settings.ts';
import { createTargetGuard, type TargetGuard } from '../delivery/target-guard.ts';
import type { ContentProvider } from '../generation/content-provider.ts';
import { createOpenAiProvider } from '../generation/openai/openai-provider.ts';
import type { HttpClient } from '../ports/http-client.ts';
import { type GeneratorDeps, startGenerator } from '../runtime/jobs/generation/generator.ts';
import type { LiveReadModels } from '../runtime/projector/live-read-models.ts';
import type { LeasedFollower } from '../runtime/resilience/follow-with-lease.ts';
import { assertUsable } from './usable-address.ts';

interface GeneratingDeps
  extends Pick<GeneratorDeps, 'store' | 'ops' | 'commands' | 'snapshots' | 'clock' | 'log' | 'holder' | 'webBaseUrl'> {
  readonly live: LiveReadModels;
  readonly http: HttpClient;
  /** Picks sentences. */
  readonly extractive: ContentProvider;
}

/** Longer than a projector needs to be replaced by another one. */
const passedMs = 15_000;

const targetsOf = ({ allowPrivateFetches: allowPrivate }: GenerationSettings): TargetGuard =>
  createTargetGuard({ resolver: systemResolver, allowPrivate });

/** Says at once when the address of the model could never be used. */
export function assertProvider(settings: GenerationSettings): void {
  if (settings.provider === 'openai') assertUsable(targetsOf(settings), { OPENAI_BASE_URL: settings.openAiBaseUrl });
}

/** Null when nothing is to be generated. */
function createContentProvider(
  { http, clock, extractive }: Pick<GeneratingDeps, 'http' | 'clock' | 'extractive'>,
  settings: GenerationSettings,
): ContentProvider | null {
  if (settings.provider === 'off') return null;
  if (settings.provider === 'extractive') return extractive;
  const { openAiBaseUrl: baseUrl, openAiApiKey: apiKey, openAiModel: model, openAiTimeoutMs: timeoutMs } = settings;
  const targets = targetsOf(settings);
  return createOpenAiProvider({ http, targets, clock, baseUrl, apiKey, model, timeoutMs });
}

/** The generator over the stores of this process; null when it is off. */
export function startGenerating(
  { live, http, extractive, ...deps }: GeneratingDeps,
  settings: GenerationSettings,
): LeasedFollower | null {
  const provider = createContentProvider({ http, clock: deps.clock, extractive }, settings);
  if (provider === null) return null;
  return startGenerator({
    ...deps,
    provider,
    enrichmentsPerMinute: settings.enrichmentsPerMinute,
    request: (cause) => {
      const commandId = systemIds.commandId();
      return { commandId, actor: 'system:generator', cause, correlationId: commandId };
    },
    modelsAt: async (position) => {
      const models = (await live.waitFor(generationReads, position, passedMs)) ? await live.current() : null;
      if (models === null) throw new Error('a read model is behind the releases that are written about');
      return models;
    },
  });
}
