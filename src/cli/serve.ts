import { once } from 'node:events';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { createLog } from '../adapters/system/log.ts';
import { openRegistry, type Registry } from '../compose/registry.ts';
import { createHttpApp, type HttpApp } from '../compose/http-app.ts';
import { startHttpServer } from '../compose/http-server.ts';
import { type MetricsServer, startMetricsServer } from '../compose/metrics/metrics-server.ts';
import { registryMetrics } from '../compose/metrics/registry-metrics.ts';
import { openSecretKey } from '../compose/secret-key.ts';
import { storesOf } from '../config/backend-settings.ts';
import { fetchSettingsOf } from '../config/fetch-settings.ts';
import { embeddingSettingsOf } from '../config/embedding-settings.ts';
import { generationSettingsOf } from '../config/generation-settings.ts';
import { rateLimitSettingsOf } from '../config/rate-limit-settings.ts';
import { baseUrlOf } from '../config/settings.ts';
import type { CliContext, RunCommand } from './cli-command.ts';
import { importSentence, showImport } from './import.ts';
import { limitGarbage } from './limit-garbage.ts';
import { createProgress } from './progress.ts';
import { announceReady, announceSettings } from './serve-announcements.ts';
import { importDemo } from './serve-demo.ts';
import { stopSignal } from './stop-signals.ts';
import { untilReady } from './until-ready.ts';

async function runDemo(
  context: CliContext,
  services: Parameters<typeof importDemo>[0],
  signal: AbortSignal,
): Promise<void> {
  const { config, flags, json, note, print } = context;
  if (flags['no-demo'] === true) return;
  const progress = createProgress('Reading the changelogs of installed packages', context);
  const backfillDays = config.EMIT_BACKFILL_DAYS;
  const result = await showImport(progress, (onProgress) => importDemo(services, { backfillDays, onProgress, signal }));
  if (result === null || signal.aborted) return;
  if (json) print(JSON.stringify({ demo: result }));
  else note(`The demo is in. ${importSentence(result)}.\n`);
}

export const runServe: RunCommand = async (context) => {
  const { config } = context;
  const log = createLog({ level: config.LOG_LEVEL });
  const fetching = fetchSettingsOf(config);
  const stopping = stopSignal();
  const onFatal = (error: Error): void => {
    log.error('the service cannot go on', { error });
    process.exit(1);
  };
  announceSettings(context);
  if (config.WEBHOOK_ALLOW_PRIVATE_TARGETS) log.warn('webhooks may go to private addresses, and over plain http');
  if (fetching.allowPrivateFetches) log.warn('third parties are read at private addresses too, and over plain http');

  const server = await startHttpServer({ port: config.PORT, host: config.HOST, log });
  let registry: Registry | undefined;
  let http: HttpApp | undefined;
  let metrics: MetricsServer | undefined;
  try {
    const webBaseUrl = baseUrlOf(config, server.port);
    const secretKey = openSecretKey(config);
    const { METRICS_PORT: metricsPort, METRICS_HOST: metricsHost } = config;
    if (metricsPort !== undefined) metrics = await startMetricsServer({ port: metricsPort, host: metricsHost, log });
    const { ROOT_API_KEY: rootApiKey, TRUSTED_ORIGINS: trustedOrigins, ROLES: roles, LOG_LEVEL: logLevel } = config;
    const { WEBHOOK_ALLOW_PRIVATE_TARGETS: allowPrivateTargets, REGISTRY_NAME: registryName } = config;
    const servesApi = roles.includes('http');
    registry = await openRegistry({
      ...storesOf(config),
      roles,
      logLevel,
      webBaseUrl,
      fetching,
      delivery: { secretKey, allowPrivateTargets, retryDelays: config.WEBHOOK_RETRY_DELAYS },
      generation: generationSettingsOf(config),
      embedding: embeddingSettingsOf(config),
      onFatal,
      signal: stopping,
      onWait: (error) => log.warn(`waiting: ${error.message}`),
      onNotice: log.warn,
    });
    const naming = { webBaseUrl, registryName, trustedOrigins };
    const rateLimits = rateLimitSettingsOf(config);
    const serving = { rootApiKey, secretKey, servesApi, lookups: fetching, allowPrivateTargets, rateLimits };
    http = await createHttpApp(registry, { ...naming, ...serving });
    const { listener, services, meter, cache, limited } = http;
    server.answerWith(listener);
    const measured = { registry, checks: services.checks, meter, cache, limited };
    metrics?.show(registryMetrics({ ...measured, clock: systemClock, log }));
    const onLongWait = (failing: readonly string[]) =>
      log.warn(`listening at ${server.url}, but not ready yet: ${failing.join(', ')}`);
    const isReady = await untilReady(services.checks, { signal: stopping, onLongWait });
    if (isReady) announceReady(context, { url: server.url, baseUrl: webBaseUrl, metricsUrl: metrics?.url });
    limitGarbage(); // not before: what a start loads stays, and would be gone through again and again
    const demoServices = { ...services, eventStore: registry.eventStore, ops: registry.ops, ids: systemIds };
    const demo = (servesApi && isReady ? runDemo(context, demoServices, stopping) : Promise.resolve()).catch(
      (error: unknown) => {
        log.error('the demo could not be imported; the next start goes on with it', { error });
      },
    );
    if (!stopping.aborted) await once(stopping, 'abort');
    log.info('stopping: requests in hand are finished first');
    await server.close();
    await demo;
  } catch (error) {
    // Whoever tells a start to stop while it waits for a server does not ask for the reason of the waiting.
    if (registry !== undefined || !stopping.aborted) throw error;
  } finally {
    await server.close();
    await http?.close();
    await metrics?.close();
    await registry?.close();
  }
  return 0;
};
