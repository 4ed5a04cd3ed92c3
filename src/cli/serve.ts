import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { openSecretKeyFile } from '../adapters/embedded/secret-key-file.ts';
import { headerBytesMax, serveHttp } from '../adapters/node-http/serve-http.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { createLog } from '../adapters/system/log.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { openRegistry, type Registry } from '../compose.ts';
import { createHttpApp } from '../compose-http.ts';
import { backendsOf, baseUrlOf, type Config, describeConfig } from '../config.ts';
import { securityHeaderValues } from '../http/middleware/security-headers.ts';
import { problemOf } from '../http/problem.ts';
import type { Services } from '../http/services.ts';
import { DomainError } from '../kernel/errors.ts';
import { StartupError } from '../kernel/startup-error.ts';
import { serviceName } from '../service-version.ts';
import type { CliCommand, CliContext } from './cli-command.ts';
import { importDemo } from './demo.ts';
import { importSentence } from './import.ts';
import { createProgress } from './progress.ts';
import { stopSignal } from './stop-signals.ts';

/** What the server says on its own, in the shape that every other answer has. */
const answerOf = (error: DomainError) => {
  const { status, headers, body } = problemOf(error);
  return {
    status,
    headers: {
      ...headers,
      ...securityHeaderValues,
      'Content-Type': 'application/json; charset=utf-8',
      'X-Service-Request-Id': systemIds.commandId(),
    },
    body: JSON.stringify(body),
  };
};

const refusals = {
  validation_failed: { issues: [{ path: '', message: 'the request could not be read, or took too long to arrive' }] },
  payload_too_large: { limitBytes: headerBytesMax },
};

/** Several processes share what they seal, so with servers no process can make the key on its own. */
function secretKeyOf(config: Config): Uint8Array {
  if (config.SECRET_KEY !== undefined) return config.SECRET_KEY;
  if (config.EVENT_STORE_URL === undefined && config.MONGODB_URL === undefined) {
    return openSecretKeyFile(config.DATA_DIR, systemRandom);
  }
  throw new StartupError(
    'SECRET_KEY must be set when EVENT_STORE_URL or MONGODB_URL is: 32 bytes, the same for every process. ' +
      'Make one with `openssl rand -hex 32` and keep it; coming from a data folder, take the one in its file secret.key.',
  );
}

const alive = JSON.stringify({ ok: true, service: serviceName, checks: { process: 'ok' } });

/** Until the registry is open: alive, but not ready. */
const answerStarting: RequestListener = (request, response) => {
  if (request.url === '/health/live') {
    response.writeHead(200, { ...securityHeaderValues, 'Content-Type': 'application/json; charset=utf-8' }).end(alive);
    return;
  }
  const { status, headers, body } = answerOf(new DomainError('service_unavailable'));
  response.writeHead(status, headers).end(body);
};

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
  registry: Registry,
  { contacts, webBaseUrl }: Services,
  signal: AbortSignal,
): Promise<void> {
  const { config, flags, json, note, print } = context;
  if (flags['no-demo'] === true) return;
  const progress = createProgress('Reading the changelogs of installed packages', context);
  const backfillDays = config.EMIT_BACKFILL_DAYS;
  const result = await importDemo({ registry, contacts, webBaseUrl, backfillDays, progress, signal });
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

    let handle: RequestListener = answerStarting;
    const server = await serveHttp({
      listener: (request, response) => handle(request, response),
      port: config.PORT,
      host: config.HOST,
      log,
      problem: (code) => answerOf(new DomainError(code, refusals[code])),
    });
    let registry: Registry | undefined;
    try {
      const webBaseUrl = baseUrlOf(config, server.port);
      const secretKey = secretKeyOf(config);
      const { ROOT_API_KEY: rootApiKey, TRUSTED_ORIGINS: trustedOrigins, ROLES: roles, LOG_LEVEL: logLevel } = config;
      const { WEBHOOK_ALLOW_PRIVATE_TARGETS: allowPrivateTargets } = config;
      const servesApi = roles.includes('http');
      registry = await openRegistry({
        ...backendsOf(config),
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
      handle = (request, response) => void callback(request, response);
      sayReady(context, server.url, webBaseUrl);
      const demo = (servesApi ? runDemo(context, registry, services, stopping) : Promise.resolve()).catch(
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
