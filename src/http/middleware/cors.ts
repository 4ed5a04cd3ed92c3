import type { Exchange } from '../exchange.ts';
import { everyAnswerHeaders } from './every-answer-headers.ts';

const exposed =
  'ETag, X-Cache, X-Service-Request-Id, X-Service-Position, X-Service-As-Of, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After';

/** For whoever asks without credentials. */
export const anyOriginHeaders = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed };

const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Modified-Since, X-Service-Min-Position, X-Service-Timing, Last-Event-ID';
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const preflightSeconds = '600';

/** The question that a browser asks before a request: it is answered at every address, and counts as any other (contract 17). */
export const isPreflight = ({ method, headers }: Pick<Exchange['req'], 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && (headers['access-control-request-method'] ?? '') !== '';

/** What is said to an origin, which may be none. */
export const createOriginHeaders = (
  trustedOrigins: readonly string[],
): ((origin: string | undefined) => Readonly<Record<string, string>>) => {
  const trusted = new Set(trustedOrigins);
  return (origin) =>
    origin === undefined || !trusted.has(origin)
      ? anyOriginHeaders
      : { ...anyOriginHeaders, 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' };
};

/** What every answer says of the requests that it is for: a cache must not give one origin what was said to another. */
export const variesBy = (trustedOrigins: readonly string[]): string =>
  trustedOrigins.length > 0 ? `${everyAnswerHeaders.Vary}, Origin` : everyAnswerHeaders.Vary;

/** Anybody may read without credentials; only trusted origins may send theirs along. True when that was all that was asked. */
export const createCors = (trustedOrigins: readonly string[]) => {
  const originHeaders = createOriginHeaders(trustedOrigins);
  const vary = variesBy(trustedOrigins);
  return (ctx: Exchange): boolean => {
    ctx.set(originHeaders(ctx.req.headers.origin));
    ctx.set('Vary', vary);
    if (!isPreflight(ctx.req)) return false;
    ctx.set('Access-Control-Allow-Methods', allowedMethods);
    ctx.set('Access-Control-Allow-Headers', allowedHeaders);
    ctx.set('Access-Control-Max-Age', preflightSeconds);
    ctx.status = 204;
    return true;
  };
};
