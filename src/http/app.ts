import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { DomainError, isDomainError } from '../kernel/errors.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import { cacheControlOf } from './caching.ts';
import { createCors } from './middleware/cors.ts';
import { everyAnswerHeaders } from './middleware/every-answer-headers.ts';
import { createIdentifyCaller, type IdentifyCallerDeps } from './middleware/identify-caller.ts';
import { problemOf } from './problem.ts';
import { createHasRoute, type HasRoute } from './rate-limits/has-route.ts';
import { referenceFilePath, sendReferenceFile } from './reference/send-file.ts';
import { noRoute, type RequestMeter } from './request-meter.ts';
import { createRouteRunner, type RouteRunnerDeps } from './run-route.ts';
import type { Route } from './route.ts';

export interface AppDeps extends RouteRunnerDeps, Omit<IdentifyCallerDeps, 'hasRoute'> {
  /** Below `/v1`. */
  readonly routes: readonly Route[];
  /** Below the host root. */
  readonly rootRoutes: readonly Route[];
  /** Below the host root, too: what none of the others is may be a page. */
  readonly webRoutes: readonly Route[];
  readonly trustedOrigins: readonly string[];
  readonly ids: Ids;
  readonly log: Log;
  readonly meter: RequestMeter;
}

/** Answers an error in the one shape; what nobody foresaw goes to the log whole and to the caller bare. */
const answerErrors = (log: Log) => async (ctx: Context, next: () => Promise<void>) => {
  try {
    await next();
  } catch (error) {
    const { status, headers, body } = problemOf(error);
    if (status >= 500) {
      const { requestId } = ctx.state as { requestId: string };
      const request = { requestId, method: ctx.method, path: ctx.path };
      // What the service foresaw is told by its code, and no place in the program says more about it.
      if (isDomainError(error)) log.warn('a request failed', { ...request, code: error.code, details: error.details });
      // A part that is away is told by its own log lines; here it is one of many requests that met it.
      else if (error instanceof BackendUnavailable) log.warn('a request failed', { ...request, error });
      else log.error('a request failed', { ...request, error });
    }
    ctx.remove('ETag');
    ctx.set(headers);
    ctx.status = status;
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = Buffer.from(JSON.stringify(body));
  }
};

/** A path that begins with two slashes would send the caller to another host. */
const isSlashedRead = ({ method, path }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/[^/].*\/$/.test(path);

function sendUnslashed(ctx: Context): void {
  ctx.set('Location', `${ctx.path.replace(/\/+$/, '')}${ctx.search}`);
  ctx.body = null;
  ctx.status = 308; // Koa makes 204 of a null body
}

/** Of the whole answer but for its way through the network. Whoever takes the request says which route it is. */
const measure = (meter: RequestMeter) => async (ctx: Context, next: () => Promise<void>) => {
  const begunMs = meter.begin();
  ctx.state['routeNumber'] = noRoute;
  await next();
  meter.end(ctx.state['routeNumber'] as number, ctx.status, begunMs);
};

/** Until there are pages. */
const toTheIndex = (ctx: Context): void => {
  ctx.set('Cache-Control', cacheControlOf('none', false));
  ctx.redirect('/v1');
};

type Handle = (ctx: Context) => Promise<void> | void;

export interface App {
  readonly koa: Koa;
  readonly hasRoute: HasRoute;
}

export function createApp(deps: AppDeps): App {
  const app = new Koa();
  const runRoute = createRouteRunner(deps);
  const router = new Router({ strict: true, sensitive: true });
  /** Those without parameters, by method and path: the router looks at all patterns in turn. */
  const fixed = new Map<string, Handle>();
  const register = (method: Route['method'], path: string, handle: Handle) => {
    const number = deps.meter.numberOf(method, path);
    const take: Handle = (ctx) => {
      ctx.state['routeNumber'] = number;
      return handle(ctx);
    };
    router.register(path, [method], take);
    if (!/[:*]/.test(path)) fixed.set(`${method} ${path}`, take);
  };
  const place = (prefix: string, routes: readonly Route[]) => {
    for (const route of routes) register(route.method, `${prefix}${route.path}`, (ctx) => runRoute(route, ctx));
  };
  place('', deps.rootRoutes);
  place('/v1', deps.routes);
  place('', deps.webRoutes);
  if (deps.routes.length > 0) {
    register('GET', '/', toTheIndex);
    register('GET', referenceFilePath, (ctx) => sendReferenceFile(ctx, deps.services.reference));
  }

  const hasRoute = createHasRoute((method, path) => router.match(path, method).route);

  app.use(measure(deps.meter));
  app.use(async (ctx, next) => {
    const requestId = deps.ids.commandId();
    ctx.state['requestId'] = requestId;
    ctx.set('X-Service-Request-Id', requestId);
    ctx.set(everyAnswerHeaders);
    await next();
  });
  app.use(answerErrors(deps.log));
  app.use(createCors(deps.trustedOrigins));
  app.use(createIdentifyCaller({ ...deps, hasRoute }));
  app.use((ctx, next) => {
    const take = fixed.get(`${ctx.method} ${ctx.path}`);
    if (take === undefined) return next();
    ctx['params'] = {};
    return take(ctx);
  });
  app.use(router.routes());
  app.use((ctx) => {
    if (isSlashedRead(ctx)) return sendUnslashed(ctx);
    const { path: layers } = router.match(ctx.path, ctx.method);
    // The first pattern is the one that would be taken; later ones only look like it.
    const known = layers.filter((layer) => layer.path === layers[0]?.path).flatMap((layer) => layer.methods);
    if (known.length > 0) ctx.set('Allow', [...new Set(known)].sort().join(', '));
    throw new DomainError('not_found', 'route', `There is no \`${ctx.method} ${ctx.path}\`.`);
  });
  // Only what fails while an answer is on its way comes here.
  app.on('error', (error: unknown) => deps.log.warn('an answer could not be sent', { error }));
  return { koa: app, hasRoute };
}
