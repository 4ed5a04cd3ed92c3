import { headerBytesMax, type RequestFault } from '../adapters/node-http/request-faults.ts';
import {
  createHttpConnections,
  type HttpConnections,
  type RequestListener,
} from '../adapters/node-http/http-connections.ts';
import { type HandOut, type HttpServer as ListeningServer, serveHttp } from '../adapters/node-http/serve-http.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { anyOriginHeaders } from '../http/middleware/cors.ts';
import { everyAnswerHeaders } from '../http/middleware/every-answer-headers.ts';
import { problemOf } from '../http/problem.ts';
import { DomainError } from '../kernel/errors.ts';
import { serviceName } from '../kernel/service-version.ts';
import type { Log } from '../ports/log.ts';

export interface HttpServer extends ListeningServer {
  /** From now on requests are answered by this. */
  readonly answerWith: (listener: RequestListener) => void;
}

/** On what the server says on its own, as on every other answer. */
const ownHeaders = () => ({
  ...everyAnswerHeaders,
  ...anyOriginHeaders,
  'Content-Type': 'application/json; charset=utf-8',
  'X-Service-Request-Id': systemIds.commandId(),
});

export const problemAnswer = (error: DomainError) => {
  const { status, headers, body } = problemOf(error);
  return { status, headers: { ...ownHeaders(), ...headers }, body: JSON.stringify(body) };
};

const errorOf = ({ code, sentence }: RequestFault): DomainError => {
  const details =
    code === 'payload_too_large' ? { limitBytes: headerBytesMax } : { issues: [{ path: '', message: sentence }] };
  return new DomainError(code, details, sentence);
};

/** What the server says about a request that it could not take. */
export const faultAnswer = (fault: RequestFault) => problemAnswer(errorOf(fault));

const alive = JSON.stringify({ ok: true, service: serviceName, checks: { process: 'ok' } });

/** Until the registry is open: alive, but not ready. */
const answerStarting: RequestListener = (request, response) => {
  if (request.url === '/health/live') {
    response.writeHead(200, { ...ownHeaders(), 'Cache-Control': 'private, no-store' }).end(alive);
    return;
  }
  const { status, headers, body } = problemAnswer(new DomainError('service_unavailable'));
  response.writeHead(status, headers).end(body);
};

/** Listens before there is anything to serve, so that whoever watches the start can see it. */
export async function startHttpServer(options: {
  readonly port: number;
  readonly host: string;
  readonly log: Log;
  /** Where other processes answer, too. */
  readonly handOut?: HandOut | undefined;
}): Promise<HttpServer> {
  let handle = answerStarting;
  const server = await serveHttp({
    ...options,
    listener: (request, response) => handle(request, response),
    problem: faultAnswer,
  });
  return {
    ...server,
    answerWith: (listener) => {
      handle = listener;
    },
  };
}

/** Answers on connections that another process accepts. */
export const answerConnections = (options: {
  readonly listener: RequestListener;
  readonly log: Log;
}): Pick<HttpConnections, 'take' | 'close'> => createHttpConnections({ ...options, problem: faultAnswer });
