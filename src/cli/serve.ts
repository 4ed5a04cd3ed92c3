import { once } from 'node:events';
import { systemIds } from '../adapters/system/ids.ts';
import { createLog } from '../adapters/system/log.ts';
import { openRegistry, type Registry } from '../compose/registry.ts';
import { createHttpApp } from '../compose/http-app.ts';
import { startHttpServer } from '../compose/http-server.ts';
import { openSecretKey } from '../compose/secret-key.ts';
import { storesOf, baseUrlOf, describeConfig } from '../config/settings.ts';
import type { CliCommand, CliContext } from './cli-command.ts';
import { importDemo } from './serve-demo.ts';
import { importSentence, showImport } from './import.ts';
import { createProgress } from './progress.ts';
import { stopSignal } from './stop-signals.ts';

const addresses = {
  '/v1': 'where to begin',
  '/v1/orgs': 'who publishes',
  '/v1/releases/latest': 'what came out last',
  '/v1/openapi.json': 'the interface',
  '/health/ready': 'whether requests can be served',
};

const addressWidth = Math.max(...Object.keys(addresses).map((path) => path.length));

function sayReady({ config, json, print }: CliContext, url: string, baseUrl: string): void {
  if (json) {
    print(JSON.stringify({ url, baseUrl, dataDir: config.DATA_DIR }));
    return;
  }
  const lines = ['', `The registry is ready at ${url}`];
  for (const [path, what] of Object.entries(addresses)) {
    lines.push(`  ${(url + path).padEnd(url.length + addressWidth)} ${what}`);
  }
  if (config.ROOT_API_KEY === undefined) {
    lines.push('', 'To write, make a credential; no ROOT_API_KEY is set:');
    const where = config.EVENT_STORE_URL === undefined ? ` --data ${config.DATA_DIR}` : '';
    lines.push(`  npm run registry -- token create --name me --scope admin${where}`);
  }
  print(lines.join('\n'));
}

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

export const serveCommand: CliCommand = {
  usage: 'serve [--port <n>] [--host <address>] [--no-demo] [--roles <list>] [--wait <seconds>]',
  summary: 'runs the service; an empty registry is filled with a demo',
  flags: {
    port: { type: 'string' },
    host: { type: 'string' },
    roles: { type: 'string' },
    'no-demo': { type: 'boolean' },
  },
  run: async (context) => {
    const { config, json, print } = context;
    const log = createLog({ level: config.LOG_LEVEL });
    const stopping = stopSignal();
    const onFatal = (error: Error): void => {
      log.error('the service cannot go on', { error });
      process.exit(1);
    };
    if (!json) print(describeConfig(config).join('\n'));
    if (config.WEBHOOK_ALLOW_PRIVATE_TARGETS) log.warn('webhooks may go to private addresses, and over plain http');

    const server = await startHttpServer({ port: config.PORT, host: config.HOST, log });
    let registry: Registry | undefined;
    try {
      const webBaseUrl = baseUrlOf(config, server.port);
      const secretKey = openSecretKey(config);
      const { ROOT_API_KEY: rootApiKey, TRUSTED_ORIGINS: trustedOrigins, ROLES: roles, LOG_LEVEL: logLevel } = config;
      const { WEBHOOK_ALLOW_PRIVATE_TARGETS: allowPrivateTargets } = config;
      const servesApi = roles.includes('http');
      registry = await openRegistry({
        ...storesOf(config),
        roles,
        logLevel,
        webBaseUrl,
        delivery: { secretKey, allowPrivateTargets, retryDelays: config.WEBHOOK_RETRY_DELAYS },
        onFatal,
        signal: stopping,
        onWait: (error) => log.warn(`waiting: ${error.message}`),
        onNotice: log.warn,
      });
      const http = { rootApiKey, secretKey, webBaseUrl, trustedOrigins, servesApi, allowPrivateTargets };
      const { app, services } = await createHttpApp(registry, http);
      const callback = app.callback();
      server.answerWith((request, response) => void callback(request, response));
      sayReady(context, server.url, webBaseUrl);
      const demoServices = { ...services, eventStore: registry.eventStore, ops: registry.ops, ids: systemIds };
      const demo = (servesApi ? runDemo(context, demoServices, stopping) : Promise.resolve()).catch(
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
      await registry?.close();
    }
    return 0;
  },
};
