import { once } from 'node:events';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { createLog } from '../adapters/system/log.ts';
import { holdTickShape } from '../adapters/system/tick-shape.ts';
import { type HttpProcesses, startHttpProcesses } from '../compose/processes/http-processes.ts';
import { limitGarbage } from '../compose/processes/limit-garbage.ts';
import type { Served } from '../compose/processes/open-served.ts';
import { untilReady } from '../compose/processes/until-ready.ts';
import { beginCatalogueThread, type CatalogueThread } from '../compose/threads/catalogue-thread.ts';
import { backendsOf } from '../config/backend-settings.ts';
import { assertHttpThreads, metricsPortOf } from '../config/http-threads.ts';
import { baseUrlOf } from '../config/settings.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { CliContext, RunCommand } from './cli-command.ts';
import { createProgress } from './progress.ts';
import { announceReady, announceSettings } from './serve-announcements.ts';
import type { importDemo } from './serve-demo.ts';
import { stopSignal } from './stop-signals.ts';

async function runDemo(
  context: CliContext,
  services: Parameters<typeof importDemo>[0],
  signal: AbortSignal,
): Promise<void> {
  const { config, flags, json, note, print } = context;
  if (flags['no-demo'] === true) return;
  const { importDemo } = await import('./serve-demo.ts');
  const { importSentence, showImport } = await import('./import.ts');
  const progress = createProgress('Reading the changelogs of installed packages', context);
  const backfillDays = config.EMIT_BACKFILL_DAYS;
  const result = await showImport(progress, (onProgress) => importDemo(services, { backfillDays, onProgress, signal }));
  if (result === null || signal.aborted) return;
  if (json) print(JSON.stringify({ demo: result }));
  else note(`The demo is in. ${importSentence(result)}.\n`);
}

async function serve(context: CliContext, catalogueThread: CatalogueThread | undefined): Promise<void> {
  const { config } = context;
  const log = createLog({ level: config.LOG_LEVEL });
  const stopping = stopSignal();
  const onFatal = (error: Error): void => {
    // What would have refused the start, had anybody waited for it, is said as then, whatever is logged.
    if (error instanceof StartupError) context.note(`${error.message}\n`);
    else log.error('the service cannot go on', { error });
    process.exit(1);
  };
  announceSettings(context);
  if (config.WEBHOOK_ALLOW_PRIVATE_TARGETS) log.warn('webhooks may go to private addresses, and over plain http');
  if (config.FETCH_ALLOW_PRIVATE_TARGETS) {
    log.warn('third parties are read at private addresses too, and over plain http');
  }

  const { PORT: port, HOST: host, ROLES: roles, HTTP_THREADS: threads } = config;
  // Most of the program.
  const { startHttpServer } = await import('../compose/http-server.ts');
  const { openServed } = await import('../compose/processes/open-served.ts');
  let processes: HttpProcesses | undefined;
  const handOut: HttpProcesses['handOut'] = (connection) => processes?.handOut(connection) ?? false;
  const server = await startHttpServer({
    port,
    host,
    trustedOrigins: config.TRUSTED_ORIGINS,
    log,
    handOut: threads > 1 ? handOut : undefined,
  });
  let served: Served | undefined;
  try {
    const webBaseUrl = baseUrlOf(config, server.port);
    const httpProcesses = () => processes?.serving() ?? 1;
    const opening = { config, roles, webBaseUrl, metricsPort: metricsPortOf(config, 0), httpProcesses };
    const readReleases = catalogueThread?.readReleases;
    served = await openServed({ ...opening, readReleases, log, onFatal, signal: stopping });
    const { registry, metricsUrl } = served;
    const { listener, services, neededChecks } = served.http;
    server.answerWith(listener);
    const onLongWait = (failing: readonly string[]) =>
      log.warn(`listening at ${server.url}, but not ready yet: ${failing.join(', ')}`);
    const isReady = await untilReady(neededChecks, { signal: stopping, onLongWait });
    if (isReady) announceReady(context, { url: server.url, baseUrl: webBaseUrl, metricsUrl });
    // Nobody waits for the rest, such as a search index on a server that is away; that it does not work is told.
    const isWhole = untilReady(services.checks, { signal: stopping, onLongWait });
    limitGarbage(); // not before: what a start loads stays, and would be gone through again and again
    if (isReady && threads > 1) {
      processes = startHttpProcesses({
        count: threads - 1,
        startOf: (number) => ({ config, webBaseUrl, metricsPort: metricsPortOf(config, number) }),
        serveHere: server.take,
        clock: systemClock,
        log,
      });
    }
    const demoServices = { ...services, eventStore: registry.eventStore, ops: registry.ops, ids: systemIds };
    const isWanted = roles.includes('http') && isReady;
    const demo = (isWanted ? runDemo(context, demoServices, stopping) : Promise.resolve()).catch((error: unknown) => {
      log.error('the demo could not be imported; the next start goes on with it', { error });
    });
    if (!stopping.aborted) await once(stopping, 'abort');
    log.info('stopping: requests in hand are finished first');
    await Promise.all([server.close(), processes?.close()]);
    await Promise.all([demo, isWhole]);
  } catch (error) {
    // Whoever tells a start to stop while it waits for a server does not ask for the reason of the waiting.
    if (served !== undefined || !stopping.aborted) throw error;
  } finally {
    await Promise.all([server.close(), processes?.close()]);
    await catalogueThread?.close(); // first: who has a file open last must be one who writes it
    await served?.close();
  }
}

export const runServe: RunCommand = async (context) => {
  await holdTickShape();
  const { config } = context;
  assertHttpThreads(config);
  // First: it is loaded beside all the rest.
  const catalogueThread = config.ROLES.includes('http') ? beginCatalogueThread(backendsOf(config)) : undefined;
  try {
    await serve(context, catalogueThread);
  } finally {
    await catalogueThread?.close(); // where it came to nothing before
  }
  return 0;
};
