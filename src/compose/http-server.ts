import { headerBytesMax, type RequestListener, serveHttp } from '../adapters/node-http/serve-http.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { securityHeaderValues } from '../http/middleware/security-headers.ts';
import { problemOf } from '../http/problem.ts';
import { DomainError } from '../kernel/errors.ts';
import { serviceName } from '../kernel/service-version.ts';
import type { Log } from '../ports/log.ts';

export interface HttpServer {
  readonly port: number;
  readonly url: string;
  /** From now on requests are answered by this. */
  readonly answerWith: (listener: RequestListener) => void;
  readonly close: () => Promise<void>;
}

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

/** Listens before there is anything to serve, so that whoever watches the start can see it. */
export async function startHttpServer(options: {
  readonly port: number;
  readonly host: string;
  readonly log: Log;
}): Promise<HttpServer> {
  let handle = answerStarting;
  const { port, url, close } = await serveHttp({
    ...options,
    listener: (request, response) => handle(request, response),
    problem: (code) => answerOf(new DomainError(code, refusals[code])),
  });
  return {
    port,
    url,
    answerWith: (listener) => {
      handle = listener;
    },
    close,
  };
}
