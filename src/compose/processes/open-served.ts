import { systemClock } from '../../adapters/system/clock.ts';
import type { ReadReleases } from '../../catalogue/instants/read-releases.ts';
import { storesOf } from '../../config/backend-settings.ts';
import { embeddingSettingsOf } from '../../config/embedding-settings.ts';
import { fetchSettingsOf } from '../../config/fetch-settings.ts';
import { generationSettingsOf } from '../../config/generation-settings.ts';
import { rateLimitSettingsOf } from '../../config/rate-limit-settings.ts';
import type { Config, Role } from '../../config/settings.ts';
import { closeInTurn } from '../../concurrency/close-in-turn.ts';
import type { Log } from '../../ports/log.ts';
import { createHttpApp, type HttpApp } from '../http-app.ts';
import { type MetricsServer, startMetricsServer } from '../metrics/metrics-server.ts';
import { registryMetrics } from '../metrics/registry-metrics.ts';
import { openRegistry, type Registry } from '../registry.ts';
import { openSecretKey } from '../secret-key.ts';

export interface ServedOptions {
  readonly config: Config;
  readonly roles: readonly Role[];
  readonly webBaseUrl: string;
  /** Undefined where no metrics are told. */
  readonly metricsPort: number | undefined;
  /** How the catalogue gets the releases; on the thread that answers requests when absent. */
  readonly readReleases?: ReadReleases | undefined;
  /** How many processes take connections, told by the one that knows. */
  readonly httpProcesses?: (() => number) | undefined;
  readonly log: Log;
  readonly onFatal: (error: Error) => void;
  /** Ends the waiting for servers. */
  readonly signal: AbortSignal;
}

/** What a process serves, short of the connections. */
export interface Served {
  readonly registry: Registry;
  readonly http: HttpApp;
  readonly metricsUrl: string | undefined;
  /** When no request comes any more. */
  readonly close: () => Promise<void>;
}

/** Everything that a process of the service runs, as the settings say. */
export async function openServed(options: ServedOptions): Promise<Served> {
  const { config, roles, webBaseUrl, metricsPort, readReleases, httpProcesses, log, onFatal, signal } = options;
  const { ROOT_API_KEY: rootApiKey, TRUSTED_ORIGINS: trustedOrigins, LOG_LEVEL: logLevel } = config;
  const { WEBHOOK_ALLOW_PRIVATE_TARGETS: allowPrivateTargets, REGISTRY_NAME: registryName } = config;
  const fetching = fetchSettingsOf(config);
  const secretKey = openSecretKey(config);
  let metrics: MetricsServer | undefined;
  let registry: Registry | undefined;
  let http: HttpApp | undefined;
  const close = (): Promise<void> =>
    closeInTurn([http?.close, metrics?.close, registry?.close].filter((part) => part !== undefined));
  try {
    if (metricsPort !== undefined) {
      metrics = await startMetricsServer({ port: metricsPort, host: config.METRICS_HOST, log });
    }
    registry = await openRegistry({
      ...storesOf(config),
      roles,
      logLevel,
      webBaseUrl,
      fetching,
      delivery: { secretKey, allowPrivateTargets, retryDelays: config.WEBHOOK_RETRY_DELAYS },
      generation: generationSettingsOf(config),
      embedding: embeddingSettingsOf(config),
      readReleases,
      onFatal,
      signal,
      onWait: (error) => log.warn(`waiting: ${error.message}`),
      onNotice: log.warn,
    });
    const naming = { webBaseUrl, registryName, trustedOrigins };
    const limits = { rateLimits: rateLimitSettingsOf(config), readyAnswersMib: config.READY_ANSWERS_MIB };
    const servesApi = roles.includes('http');
    const serving = { rootApiKey, secretKey, servesApi, lookups: fetching, allowPrivateTargets, ...limits };
    http = await createHttpApp(registry, { ...naming, ...serving });
    const { services, meter, cache, limited } = http;
    const { checks, searched } = services;
    const measured = { registry, checks, searched, meter, cache, limited, httpProcesses };
    metrics?.show(registryMetrics({ ...measured, clock: systemClock, log }));
    return { registry, http, metricsUrl: metrics?.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
