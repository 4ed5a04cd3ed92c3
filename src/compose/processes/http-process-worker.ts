// A further process that answers requests, on connections that the first one accepts and gives to it.
import type { Connection, HttpConnections } from '../../adapters/node-http/http-connections.ts';
import { createLog } from '../../adapters/system/log.ts';
import { holdTickShape } from '../../adapters/system/tick-shape.ts';
import { describeError } from '../../adapters/threads/thread-messages.ts';
import { backendsOf } from '../../config/backend-settings.ts';
import { answerConnections } from '../http-server.ts';
import { beginCatalogueThread } from '../threads/catalogue-thread.ts';
import { limitGarbage } from './limit-garbage.ts';
import type { FromHttpProcess, HttpProcessStart, ToHttpProcess } from './messages.ts';
import { openServed, type Served } from './open-served.ts';
import { untilReady } from './until-ready.ts';

void holdTickShape();

const send = (message: FromHttpProcess, then: () => void = () => {}): void => {
  process.send!(message, undefined, {}, then);
};

/** The first process tells of it, and starts another. */
const fail = (error: unknown): void => send({ kind: 'failed', error: describeError(error) }, () => process.exit(1));

// A terminal, or whoever stops all of a service, sends these to every process; the first one says when this one is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
// The first one is gone, and with it whoever could give connections or start another.
process.on('disconnect', () => process.exit(1));

const stopping = new AbortController();
const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
let connections: Pick<HttpConnections, 'take' | 'close'> | undefined;

/** Without one where its client was gone before it came here. */
function take(id: number, connection: Connection | undefined): void {
  if (connection !== undefined) connections?.take(connection);
  send({ kind: 'taken', id });
}

async function serve({ config, webBaseUrl, metricsPort }: HttpProcessStart): Promise<void> {
  const log = createLog({ level: config.LOG_LEVEL });
  const catalogueThread = beginCatalogueThread(backendsOf(config));
  let served: Served | undefined;
  try {
    const { signal } = stopping;
    const { readReleases } = catalogueThread;
    const opening = { config, roles: ['http'] as const, webBaseUrl, metricsPort, readReleases };
    served = await openServed({ ...opening, log, onFatal: fail, signal });
    const { http, metricsUrl } = served;
    connections = answerConnections({
      listener: http.listener,
      trustedOrigins: config.TRUSTED_ORIGINS,
      log,
    });
    const onLongWait = (failing: readonly string[]) =>
      log.warn(`a further process is not ready yet: ${failing.join(', ')}`);
    const isReady = await untilReady(http.neededChecks, { signal, onLongWait });
    limitGarbage();
    if (isReady) send({ kind: 'ready', metricsUrl });
    await stopped;
  } catch (error) {
    // It was told to stop while it waited for a server.
    if (served !== undefined || !stopping.signal.aborted) throw error;
  }
  await connections?.close();
  await catalogueThread.close();
  await served?.close();
}

process.on('message', (message: ToHttpProcess, connection?: Connection) => {
  if (message.kind === 'connection') take(message.id, connection);
  else if (message.kind === 'stop') stopping.abort();
  else serve(message).then(() => process.exit(0), fail);
});
