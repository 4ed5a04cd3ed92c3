import { headerBytesMax, type RequestFault } from '../adapters/node-http/request-faults.ts';
import {
  createHttpConnections,
  type HttpConnections,
  type RequestListener,
} from '../adapters/node-http/http-connections.ts';
import { type HandOut, type HttpServer as ListeningServer, serveHttp } from '../adapters/node-http/serve-http.ts';
import { systemIds } from '../adapters/system/ids.ts';
import type { Findings } from '../http/health-checks.ts';
import { createOriginHeaders, variesBy } from '../http/middleware/cors.ts';
import { everyAnswerHeaders } from '../http/middleware/every-answer-headers.ts';
import { problemOf } from '../http/problem.ts';
import { pathOf } from '../http/rate-limits/has-route.ts';
import { DomainError } from '../kernel/errors.ts';
import { serviceName } from '../kernel/service-version.ts';
import type { Log } from '../ports/log.ts';

export interface HttpServer extends ListeningServer {
  /** From now on requests are answered by this. */
  readonly answerWith: (listener: RequestListener) => void;
}

type Request = Parameters<RequestListener>[0];

/** What the server says on its own, with the headers of every other answer. */
export function createOwnAnswers(trustedOrigins: readonly string[]) {
  const originHeaders = createOriginHeaders(trustedOrigins);
  const vary = variesBy(trustedOrigins);

  const headersFor = (request: Request | null) => ({
    ...everyAnswerHeaders,
    Vary: vary,
    ...originHeaders(request?.headers.origin),
    'Content-Type': 'application/json; charset=utf-8',
    'X-Service-Request-Id': systemIds.requestId(),
  });

  const problem = (error: DomainError, request: Request | null) => {
    const { status, headers, body } = problemOf(error);
    return { status, headers: { ...headersFor(request), ...headers }, body: JSON.stringify(body) };
  };

  return {
    headersFor,
    problem,
    /** About a request that it could not take. */
    fault: (fault: RequestFault, request: Request | null) => problem(errorOf(fault), request),
  };
}

const errorOf = ({ code, sentence }: RequestFault): DomainError => {
  const details =
    code === 'payload_too_large' ? { limitBytes: headerBytesMax } : { issues: [{ path: '', message: sentence }] };
  return new DomainError(code, details, sentence);
};

const alive = JSON.stringify({ ok: true, service: serviceName, checks: { process: 'ok' } });

/** What is known of it while it starts: stores that are away are told by the log, and end the start. */
const startFindings = { checks: { process: 'ok', start: 'fail' }, unreachable: [] } satisfies Findings;

/** Until the registry is open: alive, but not ready. */
const answerStarting =
  ({ headersFor, problem }: ReturnType<typeof createOwnAnswers>): RequestListener =>
  (request, response) => {
    const path = pathOf(request.url ?? '');
    if (path === '/health/live') {
      response.writeHead(200, { ...headersFor(request), 'Cache-Control': 'private, no-store' }).end(alive);
      return;
    }
    const isAskedHow = path === '/health' || path === '/health/ready';
    const error = new DomainError('service_unavailable', isAskedHow ? startFindings : undefined);
    const { status, headers, body } = problem(error, request);
    response.writeHead(status, headers).end(body);
  };

/** Listens before there is anything to serve, so that whoever watches the start can see it. */
export async function startHttpServer(options: {
  readonly port: number;
  readonly host: string;
  readonly trustedOrigins: readonly string[];
  readonly log: Log;
  /** Where other processes answer, too. */
  readonly handOut?: HandOut | undefined;
}): Promise<HttpServer> {
  const own = createOwnAnswers(options.trustedOrigins);
  let handle = answerStarting(own);
  const server = await serveHttp({
    ...options,
    listener: (request, response) => handle(request, response),
    problem: own.fault,
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
  readonly trustedOrigins: readonly string[];
  readonly log: Log;
}): Pick<HttpConnections, 'take' | 'close'> =>
  createHttpConnections({ ...options, problem: createOwnAnswers(options.trustedOrigins).fault });
