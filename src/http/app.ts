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
import { createReadExchange, type Exchange } from './exchange.ts';
import { createFindRead } from './find-read.ts';
import type { Refusal } from './middleware/rate-limit.ts';
import { createHasRoute, type HasRoute, isPlainPath, pathOf } from './rate-limits/has-route.ts';
import type { ReadyResponse } from './ready/ready-head.ts';
import { createSocketWatch } from './socket-watch.ts';
import { referenceFilePath, sendReferenceFile } from './reference/send-file.ts';
import { noRoute, type RequestMeter } from './request-meter.ts';
import { createRouteRunner, type RouteRunnerDeps } from './run-route.ts';
import type { Route } from './route.ts';

export interface AppDeps extends RouteRunnerDeps, Omit<IdentifyCallerDeps, 'hasRoute' | 'refusalOf'> {
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
function answerError(log: Log, ctx: Exchange, error: unknown): void {
  const { status, headers, body } = problemOf(error);
  if (status >= 500) {
    const request = { requestId: ctx.state['requestId'], method: ctx.method, path: ctx.path };
    // What the service foresaw is told by its code, and no place in the program says more about it.
    if (isDomainError(error)) log.warn('a request failed', { ...request, code: error.code, details: error.details });
    // A part that is away is told by its own log lines; here it is one of many requests that met it.
    else if (error instanceof BackendUnavailable) log.warn('a request failed', { ...request, error });
    else log.error('a request failed', { ...request, error });
  }
  ctx.remove('ETag');
  ctx.set(headers);
  ctx.status = status;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = Buffer.from(JSON.stringify(body));
}

const isInvalidUrl = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'ERR_INVALID_URL';

/** Koa reads the path when it is first asked for; the parser of HTTP lets through what has none, such as `http://[`. */
function readPath(ctx: Exchange): string | null {
  try {
    return ctx.path;
  } catch (error) {
    if (isInvalidUrl(error)) return null;
    throw error;
  }
}

function requirePath(ctx: Exchange): void {
  if (readPath(ctx) !== null) return;
  const message = `The request asks for \`${ctx.req.url}\`, which is no address.`;
  throw new DomainError('validation_failed', { issues: [{ path: '', message }] }, message);
}

/** A path that begins with two slashes would send the caller to another host; browsers take a backslash for one. */
const isSlashedRead = ({ method, path }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/[^/\\].*\/$/.test(path);

function sendUnslashed(ctx: Context): void {
  ctx.set('Location', `${ctx.path.replace(/\/+$/, '')}${ctx.search}`);
  ctx.body = null;
  ctx.status = 308; // Koa makes 204 of a null body
}

/** Until there are pages. */
const toTheIndex = (ctx: Context): void => {
  ctx.set('Cache-Control', cacheControlOf('none', false));
  ctx.redirect('/v1');
};

type Handle<Ctx extends Exchange = Context> = (ctx: Ctx) => Promise<void> | void;

type Request = Context['req'];

export interface App {
  /** The refusal is that of a request which was counted before: it is one too many wherever anything answers it. */
  readonly answer: (request: Request, response: ReadyResponse, refusal: Refusal | null) => void;
  readonly hasRoute: HasRoute;
}

export function createApp(deps: AppDeps): App {
  const app = new Koa();
  const runRoute = createRouteRunner(deps);
  const router = new Router({ strict: true, sensitive: true });
  /** Those without parameters, by method and path: the router looks at all patterns in turn. */
  const fixed = new Map<string, Handle>();
  /** Those of reads, by their pattern: they need nothing of Koa. */
  const reads = new Map<string, Handle<Exchange>>();
  const numbered = <Ctx extends Exchange>(method: Route['method'], path: string, handle: Handle<Ctx>): Handle<Ctx> => {
    const number = deps.meter.numberOf(method, path);
    return (ctx) => {
      ctx.state['routeNumber'] = number;
      return handle(ctx);
    };
  };
  const register = (method: Route['method'], path: string, take: Handle) => {
    router.register(path, [method], take);
    if (!/[:*]/.test(path)) fixed.set(`${method} ${path}`, take);
  };
  const place = (prefix: string, routes: readonly Route[]) => {
    for (const route of routes) {
      const path = `${prefix}${route.path}`;
      const take = numbered<Exchange>(route.method, path, (ctx) => runRoute(route, ctx));
      register(route.method, path, take);
      if (route.method === 'GET') reads.set(path, take);
    }
  };
  place('', deps.rootRoutes);
  place('/v1', deps.routes);
  place('', deps.webRoutes);
  if (deps.routes.length > 0) {
    const sendFile = (ctx: Context) => sendReferenceFile(ctx, deps.services.reference);
    register('GET', '/', numbered('GET', '/', toTheIndex));
    register('GET', referenceFilePath, numbered('GET', referenceFilePath, sendFile));
  }

  const hasRoute = createHasRoute((method, path) => router.match(path, method).route);

  /** Koa makes its context itself, so they cannot be handed on. */
  const refusals = new WeakMap<Request, Refusal>();
  const identify = createIdentifyCaller({ ...deps, hasRoute, refusalOf: (request) => refusals.get(request) ?? null });
  const answerOrigin = createCors(deps.trustedOrigins);

  /** All that a request meets before a route, and after it. */
  async function pass<Ctx extends Exchange>(ctx: Ctx, take: Handle<Ctx>): Promise<void> {
    // Of the whole answer but for its way through the network. Whoever takes the request says which route it is.
    const begunMs = deps.meter.begin();
    ctx.state['routeNumber'] = noRoute;
    const requestId = deps.ids.requestId();
    ctx.state['requestId'] = requestId;
    ctx.set('X-Service-Request-Id', requestId);
    ctx.set(everyAnswerHeaders);
    try {
      requirePath(ctx);
      const isAnswered = answerOrigin(ctx);
      await identify(ctx, isAnswered ? () => {} : take);
    } catch (error) {
      answerError(deps.log, ctx, error);
    }
    deps.meter.end(ctx.state['routeNumber'] as number, ctx.status, begunMs);
  }

  const answerUnknown: Handle = (ctx) => {
    if (isSlashedRead(ctx)) return sendUnslashed(ctx);
    const { path: layers } = router.match(ctx.path, ctx.method);
    // The first pattern is the one that would be taken; later ones only look like it.
    const known = layers.filter((layer) => layer.path === layers[0]?.path).flatMap((layer) => layer.methods);
    if (known.length > 0) ctx.set('Allow', [...new Set(known)].sort().join(', '));
    throw new DomainError('not_found', 'route', `There is no \`${ctx.method} ${ctx.path}\`.`);
  };
  const byPattern = router.routes();
  app.use((ctx) =>
    pass<Context>(ctx, (taken) => {
      const take = fixed.get(`${taken.method} ${taken.path}`);
      if (take === undefined)
        return byPattern(taken as Parameters<typeof byPattern>[0], async () => answerUnknown(taken));
      taken['params'] = {};
      return take(taken);
    }),
  );
  // Only what fails while an answer is on its way comes here.
  app.on('error', (error: unknown) => deps.log.warn('an answer could not be sent', { error }));

  const answerByKoa = app.callback();
  const findRead = createFindRead(router.stack, reads);
  const watchSocket = createSocketWatch((error, request, response) =>
    app.createContext(request, response).onerror(error),
  );

  const answer: App['answer'] = (request, response, refusal) => {
    const { method, url = '' } = request;
    const path = pathOf(url);
    if (refusal !== null) refusals.set(request, refusal);
    const found = method === 'GET' && isPlainPath(url) ? findRead(path) : null;
    if (found === null) return void answerByKoa(request, response);
    const { take, params } = found;
    const ctx = createReadExchange(request, response, { path, querystring: url.slice(path.length + 1), params });
    watchSocket(request, response);
    pass(ctx, take)
      .then(ctx.send)
      .catch((error: Error) => app.createContext(request, response).onerror(error));
  };
  return { answer, hasRoute };
}
