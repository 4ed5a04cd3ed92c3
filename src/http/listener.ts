import type { Context } from 'koa';
import type { Ids } from '../ports/ids.ts';
import { createOriginHeaders, variesBy } from './middleware/cors.ts';
import { everyAnswerHeaders } from './middleware/every-answer-headers.ts';
import type { RateLimiter, Verdict } from './middleware/rate-limit.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { problemOf } from './problem.ts';
import { type HasRoute, isPlainPath } from './rate-limits/has-route.ts';
import { noRoute, type RequestMeter } from './request-meter.ts';
import { headLines, type ReadyResponse } from './ready/ready-head.ts';
import type { GoOn, SendReady } from './ready/send-ready.ts';

type Request = Context['req'];

export type HttpListener = (request: Request, response: ReadyResponse) => void;

interface ReadyRefusal {
  /** All but the request id. */
  readonly lines: string;
  readonly body: Buffer;
}

type Refused = Verdict & { readonly refusal: NonNullable<Verdict['refusal']> };

const isRefused = (verdict: Verdict): verdict is Refused => verdict.refusal !== null;

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
}): HttpListener {
  const { app, hasRoute, sendReady, rateLimiter, trustedOrigins, ids, meter } = deps;
  const originHeaders = createOriginHeaders(trustedOrigins);
  const vary = variesBy(trustedOrigins);
  /** By the seconds to wait, of which there are 60, for callers that no trusted origin sends. */
  const ready = new Map<number, ReadyRefusal>();

  function makeReady({ refusal, headers: limitHeaders }: Refused, origin: string | undefined): ReadyRefusal {
    const { headers, body } = problemOf(rateLimiter.problem(refusal));
    const all = {
      ...everyAnswerHeaders,
      Vary: vary,
      ...originHeaders(origin),
      'Content-Type': 'application/json; charset=utf-8',
      ...limitHeaders,
      ...headers,
    };
    return { lines: headLines(Object.entries(all)), body: Buffer.from(JSON.stringify(body)) };
  }

  function readyFor(refused: Refused, origin: string | undefined): ReadyRefusal {
    if (origin !== undefined && trustedOrigins.includes(origin)) return makeReady(refused, origin);
    const { retryAfterSeconds } = refused.refusal;
    const known = ready.get(retryAfterSeconds);
    if (known !== undefined) return known;
    const made = makeReady(refused, undefined);
    ready.set(retryAfterSeconds, made);
    return made;
  }

  const isKnownRoute = ({ method = '', url = '' }: Request): boolean => isPlainPath(url) && hasRoute(method, url);

  const goOn: GoOn = (request, response, verdict) => {
    if (verdict !== null) {
      response.setHeader('RateLimit-Policy', verdict.headers['RateLimit-Policy']);
      response.setHeader('RateLimit', verdict.headers.RateLimit);
    }
    // Whether anything is at an address that only Koa can read is not known before.
    app(request, response, verdict?.refusal ?? null);
  };

  const take: HttpListener = (request, response) => {
    const verdict = request.headers.authorization === undefined ? rateLimiter.count(nobody, request) : null;
    const isOneTooMany = verdict !== null && isRefused(verdict);
    if (isOneTooMany && isKnownRoute(request)) {
      const begunMs = meter.begin();
      const { lines, body } = readyFor(verdict, request.headers.origin);
      const own = `X-Service-Request-Id: ${ids.requestId()}\r\n${lines}`;
      response.endReady(429, own, body);
      meter.end(noRoute, 429, begunMs); // as those that are refused with a credential: before any route has taken them
      return;
    }
    if (isOneTooMany) goOn(request, response, verdict);
    else sendReady(request, response, verdict, goOn);
  };
  return (request, response) => {
    const behind = request.headers.authorization === undefined ? rateLimiter.hearFirst(nobody, request) : null;
    if (behind === null) return take(request, response);
    void behind.then(() => {
      if (!request.socket.destroyed) take(request, response); // else nobody is there to hear it
    });
  };
}
