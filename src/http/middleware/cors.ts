import type { Context } from 'koa';

const exposed =
  'ETag, X-Cache, X-Service-Request-Id, X-Service-Position, X-Service-As-Of, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After';

/** For whoever asks without credentials. */
export const anyOriginHeaders = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed };

const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Modified-Since, X-Service-Min-Position, Last-Event-ID';
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const preflightSeconds = '600';

/** Anybody may read without credentials; only trusted origins may send theirs along. */
export const createCors = (trustedOrigins: readonly string[]) => {
  const trusted = new Set(trustedOrigins);
  return async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    const origin = ctx.get('origin');
    ctx.set(anyOriginHeaders);
    if (trusted.size > 0) ctx.vary('Origin'); // a cache must not give one origin what was said to another
    if (trusted.has(origin)) {
      ctx.set('Access-Control-Allow-Origin', origin);
      ctx.set('Access-Control-Allow-Credentials', 'true');
    }
    if (ctx.method !== 'OPTIONS' || ctx.get('access-control-request-method') === '') return next();
    ctx.set('Access-Control-Allow-Methods', allowedMethods);
    ctx.set('Access-Control-Allow-Headers', allowedHeaders);
    ctx.set('Access-Control-Max-Age', preflightSeconds);
    ctx.status = 204;
  };
};
