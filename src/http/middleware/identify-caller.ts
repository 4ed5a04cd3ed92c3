import type { Exchange } from '../exchange.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Stopwatch } from '../../ports/stopwatch.ts';
import type { Authenticator } from '../authenticate.ts';
import { type Caller, isAdmin } from '../caller.ts';
import { createServerTiming, type ServerTiming } from '../server-timing.ts';
import type { HasRoute } from '../rate-limits/has-route.ts';
import { isPreflight } from './cors.ts';
import type { RateLimiter, Refusal } from './rate-limit.ts';

/** What every route may know of a request. */
export interface IdentifiedRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly timing: ServerTiming;
}

export interface IdentifyCallerDeps {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly hasRoute: HasRoute;
  /** Of a request that was counted before Koa, and was one too many. */
  readonly refusalOf: (request: Exchange['req']) => Refusal | null;
}

/** Looks a credential up and counts the request for whoever it is of (contract 1.4). */
export const createIdentifyCaller = (deps: IdentifyCallerDeps) => {
  const { authenticator, rateLimiter, clock, stopwatch, hasRoute, refusalOf } = deps;

  const countFor = async (caller: Caller, ctx: Exchange): Promise<Refusal | null> => {
    await rateLimiter.hearFirst(caller, ctx.req);
    const verdict = rateLimiter.count(caller, ctx.req);
    if (verdict === null) return null;
    ctx.set(verdict.headers);
    return verdict.refusal;
  };

  return async <Ctx extends Exchange>(ctx: Ctx, next: (ctx: Ctx) => Promise<void> | void): Promise<void> => {
    const timing = createServerTiming(ctx.get('x-service-timing'), stopwatch);
    const endAuth = timing.begin('auth');
    const { authorization } = ctx.req.headers;
    const caller = await authenticator.identify(authorization, clock.nowMs());
    endAuth();
    // Whoever sends no credential was counted before Koa.
    const refusal = authorization === undefined ? refusalOf(ctx.req) : await countFor(caller, ctx);
    // What is not there is not there, however often it is asked for.
    const isThere = isPreflight(ctx.req) || hasRoute(ctx.method, ctx.path);
    if (refusal !== null && isThere) throw rateLimiter.problem(refusal);
    Object.assign(ctx.state, { caller, timing } satisfies Partial<IdentifiedRequest>);
    try {
      await next(ctx);
    } finally {
      const text = isAdmin(caller) ? timing.text() : null;
      if (text !== null) ctx.set('Server-Timing', text);
    }
  };
};
