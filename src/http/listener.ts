import type { Context } from 'koa';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import { createOriginHeaders, isPreflight, variesBy } from './middleware/cors.ts';
import { everyAnswerHeaders } from './middleware/every-answer-headers.ts';
import type { RateLimiter, Verdict } from './middleware/rate-limit.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { problemOf } from './problem.ts';
import { type HasRoute, isPlainPath, pathOf } from './rate-limits/has-route.ts';
import { noRoute, type RequestMeter } from './request-meter.ts';
import { headLines, type ReadyResponse } from './ready/ready-head.ts';
import type { GoOn, SendReady } from './ready/send-ready.ts';

type Request = Context['req'];

export type HttpListener = (request: Request, response: ReadyResponse) => void;

interface ReadyProblem {
  readonly status: number;
  /** All but the request id. */
  readonly lines: string;
  readonly body: Buffer;
}

type Refused = Verdict & { readonly refusal: NonNullable<Verdict['refusal']> };

const isRefused = (verdict: Verdict): verdict is Refused => verdict.refusal !== null;

/** As it was said of a request that is counted. */
const limitHeadersOf = (response: ReadyResponse): Record<string, string> => {
  const said = ['RateLimit-Policy', 'RateLimit'].map((name) => [name, response.getHeader(name)] as const);
  return Object.fromEntries(said.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
};

const nobody: Caller = { kind: 'anonymous', invalidCredential: false };

/**
 * What stands before Koa. Who sends no credential is known at once: such a request is counted here, and one too many is
 * answered with bytes that are ready, so that a flood costs as little as can be.
 * An answer that is ready leaves from here, too. All others come to the app.
 */
export function createListener(deps: {
  readonly app: App['answer'];
  readonly hasRoute: HasRoute;
  readonly sendReady: SendReady;
  readonly rateLimiter: RateLimiter;
  readonly trustedOrigins: readonly string[];
  readonly ids: Ids;
  readonly meter: RequestMeter;
  readonly log: Log;
}): HttpListener {
  const { app, hasRoute, sendReady, rateLimiter, trustedOrigins, ids, meter, log } = deps;
  const originHeaders = createOriginHeaders(trustedOrigins);
  const vary = variesBy(trustedOrigins);
  /** By the seconds to wait, of which there are 60, for callers that no trusted origin sends. */
  const ready = new Map<number, ReadyProblem>();

  function makeReady(error: unknown, origin: string | undefined, limitHeaders = {}): ReadyProblem {
    const { status, headers, body } = problemOf(error);
    const all = {
      ...everyAnswerHeaders,
      Vary: vary,
      ...originHeaders(origin),
      'Content-Type': 'application/json; charset=utf-8',
      ...limitHeaders,
      ...headers,
    };
    return { status, lines: headLines(Object.entries(all)), body: Buffer.from(JSON.stringify(body)) };
  }

  const makeRefusal = ({ refusal, headers }: Refused, origin: string | undefined): ReadyProblem =>
    makeReady(rateLimiter.problem(refusal), origin, headers);

  function readyFor(refused: Refused, origin: string | undefined): ReadyProblem {
    if (origin !== undefined && trustedOrigins.includes(origin)) return makeRefusal(refused, origin);
    const { retryAfterSeconds } = refused.refusal;
    const known = ready.get(retryAfterSeconds);
    if (known !== undefined) return known;
    const made = makeRefusal(refused, undefined);
    ready.set(retryAfterSeconds, made);
    return made;
  }

  /** By the app, were it not one too many. */
  const isAnswered = (request: Request): boolean => {
    const { method = '', url = '' } = request;
    return isPlainPath(url) && (isPreflight(request) || hasRoute(method, url));
  };

  const goOn: GoOn = (request, response, verdict) => {
    if (verdict !== null) {
      response.setHeader('RateLimit-Policy', verdict.headers['RateLimit-Policy']);
      response.setHeader('RateLimit', verdict.headers.RateLimit);
    }
    // Whether anything is at an address that only Koa can read is not known before.
    app(request, response, verdict?.refusal ?? null);
  };

  /** Of what failed while nobody waited for it: thrown on, it would end the process. */
  function answerFailure(request: Request, response: ReadyResponse, error: unknown): void {
    const requestId = ids.requestId();
    const { method, url = '', headers } = request;
    log.error('a request failed', { requestId, method, path: pathOf(url), error });
    if (response.headersSent) return;
    const begunMs = meter.begin();
    const limit = limitHeadersOf(response);
    // What was said of an answer that was not made; whether the connection ends with it is so all the same.
    for (const name of response.getHeaderNames()) if (name !== 'connection') response.removeHeader(name);
    const { status, lines, body } = makeReady(error, headers.origin, limit);
    response.endReady(status, `X-Service-Request-Id: ${requestId}\r\n${lines}`, body);
    meter.end(noRoute, status, begunMs);
  }

  const decide: HttpListener = (request, response) => {
    const verdict = request.headers.authorization === undefined ? rateLimiter.count(nobody, request) : null;
    const isOneTooMany = verdict !== null && isRefused(verdict);
    if (isOneTooMany && isAnswered(request)) {
      const begunMs = meter.begin();
      const { lines, body } = readyFor(verdict, request.headers.origin);
      const own = `X-Service-Request-Id: ${ids.requestId()}\r\n${lines}`;
      response.endReady(429, own, body);
      meter.end(noRoute, 429, begunMs); // as those that are refused with a credential: before any route has taken them
      return;
    }
    if (isOneTooMany) goOn(request, response, verdict);
    else
      sendReady(request, response, verdict, goOn)?.catch((error: unknown) => answerFailure(request, response, error));
  };

  const take: HttpListener = (request, response) => {
    try {
      decide(request, response);
    } catch (error) {
      answerFailure(request, response, error);
    }
  };

  return (request, response) => {
    const behind = request.headers.authorization === undefined ? rateLimiter.hearFirst(nobody, request) : null;
    if (behind === null) return take(request, response);
    void behind.then(() => {
      // Else its connection is gone, or broke meanwhile, and that was said already.
      if (!response.headersSent && !request.socket.destroyed) take(request, response);
    });
  };
}
