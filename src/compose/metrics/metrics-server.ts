import type { RequestListener } from '../../adapters/node-http/http-connections.ts';
import { serveHttp } from '../../adapters/node-http/serve-http.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Log } from '../../ports/log.ts';
import type { Metric } from '../../ports/metrics.ts';
import { createOwnAnswers } from '../http-server.ts';

export interface MetricsServer {
  /** Where Prometheus reads. */
  readonly url: string;
  /** From now on these are told, besides what Node tells about the process. */
  readonly show: (metrics: readonly Metric[]) => void;
  readonly close: () => Promise<void>;
}

const path = '/metrics';

/** On a port of its own, so that whoever may read the registry need not read this. */
export async function startMetricsServer(options: {
  readonly port: number;
  readonly host: string;
  readonly log: Log;
}): Promise<MetricsServer> {
  // Loaded only where it is used.
  const { createExposition } = await import('../../adapters/prometheus/exposition.ts');
  const exposition = createExposition();
  const own = createOwnAnswers([]);

  const answer = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const [asked] = (request.url ?? '').split('?');
    if (!isRead || asked !== path) {
      const { status, headers, body } = own.problem(
        new DomainError('not_found', 'route', `There is only \`GET ${path}\` here.`),
        request,
      );
      response.writeHead(status, headers).end(body);
      return;
    }
    try {
      const text = await exposition.text();
      response.writeHead(200, { 'Content-Type': exposition.contentType, 'Cache-Control': 'no-store' }).end(text);
    } catch (error) {
      options.log.error('the metrics could not be told', { error });
      const { status, headers, body } = own.problem(new DomainError('internal_error'), request);
      response.writeHead(status, headers).end(body);
    }
  };

  const { url, close } = await serveHttp({
    ...options,
    listener: (request, response) => void answer(request, response),
    problem: own.fault,
    settings: { port: 'METRICS_PORT', host: 'METRICS_HOST' },
  });
  return { url: `${url}${path}`, show: exposition.add, close };
}
