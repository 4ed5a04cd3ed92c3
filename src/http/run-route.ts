import type { Context } from 'koa';
import { DomainError, isDomainError } from '../kernel/errors.ts';
import { parseInput } from '../kernel/parse-input.ts';
import type { Projection } from '../kernel/projection.ts';
import type { Ids } from '../ports/ids.ts';
import type { Authenticator } from './authenticate.ts';
import { actorOf, type Caller, isAdmin, satisfies, scopesOf } from './caller.ts';
import { cacheControlOf, etagOf, isUnchanged } from './caching.ts';
import { type DocumentType, prefersMarkdown } from './negotiate.ts';
import type { IdempotencyKeys, KeptAnswer, RunningClaim } from '../records/idempotency-keys.ts';
import { parseMinPosition, parseParams, parseQuery, sentParameters } from './parse-request.ts';
import { invalidTokenHint, problemOf } from './problem.ts';
import { parseJsonObject, readBody } from './read-body.ts';
import type { Answer, Route, RouteRequest } from './route.ts';
import { type Services, withOneView } from './services.ts';

export interface RouteRunnerDeps {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly ids: Ids;
  readonly waitFor: (reads: readonly Projection[], position: number) => Promise<void>;
  /** Throws when the read models are away: what could not be shown afterwards is better not begun. */
  readonly requireReadModels: () => Promise<void>;
  /** Sees every answer before it leaves; tests check it against the route's own schema. */
  readonly onAnswer?: (route: Route, status: number, body: unknown) => void;
}

/** A request whose caller is known and may make it. */
interface ReceivedRequest {
  readonly route: Route;
  readonly ctx: Context;
  readonly caller: Caller;
  readonly bytes: Buffer;
}

function checkAccess(route: Route, caller: Caller): void {
  if (route.access === 'public') return;
  if (caller.kind === 'anonymous') throw new DomainError(caller.invalidCredential ? 'invalid_token' : 'unauthorized');
  if (route.access === 'credential' || satisfies(caller, route.access)) return;
  throw new DomainError('insufficient_scope', { required: route.access, granted: scopesOf(caller) });
}

const positionHeader = 'X-Service-Position';

interface SentText extends Omit<KeptAnswer, 'releaseIds'> {
  /** JSON when absent. */
  readonly type?: DocumentType | 'application/json';
  readonly lastModifiedMs?: number;
}

const formOf = ({ document, lastModifiedMs }: Answer): Pick<SentText, 'type' | 'lastModifiedMs'> => ({
  ...(document && { type: document.type }),
  ...(lastModifiedMs !== undefined && { lastModifiedMs }),
});

/** The order of checks is contract 1.4, one line each. */
export function createRouteRunner(deps: RouteRunnerDeps): (route: Route, ctx: Context) => Promise<void> {
  const { services, authenticator, idempotencyKeys, ids } = deps;

  async function perform(received: ReceivedRequest, claim: RunningClaim | null): Promise<Answer> {
    const { route, ctx, caller, bytes } = received;
    const commandId = claim?.commandId ?? ids.commandId();
    const hasBody = route.body !== undefined && !(route.bodyOptional === true && bytes.length === 0);
    const json = hasBody ? parseJsonObject(bytes, ctx.get('content-type') || undefined) : undefined;
    const sent = sentParameters(ctx.querystring, new Set(Object.keys(route.query.shape)));
    const query = parseQuery(route.query, sent);
    const body = route.body && hasBody ? parseInput(route.body, json) : undefined;
    const minPosition = parseMinPosition(ctx.get('x-service-min-position') || undefined);
    const option = route.adminOption?.({ query, body });
    if (option !== undefined && !isAdmin(caller)) throw new DomainError('forbidden', { option });
    if (minPosition !== null) await deps.waitFor(route.reads, minPosition);
    if (route.method !== 'GET') await deps.requireReadModels();
    const request: RouteRequest<unknown, unknown, unknown> = {
      params: parseParams(route.params, ctx['params']),
      query,
      body,
      sent,
      caller,
      admin: isAdmin(caller),
      nowMs: services.clock.nowMs(),
      minPosition,
      command: { commandId, actor: actorOf(caller), correlationId: ctx.state['requestId'] as string, cause: 'edit' },
      isRepeatable: claim !== null,
    };
    const used = route.method === 'GET' ? withOneView(services) : services;
    const answer = await route.handle(request, used).catch((error: unknown) => tellPosition(route, ctx, error));
    if (route.markdown === undefined || !prefersMarkdown(ctx)) return answer;
    const text = await route.markdown(answer.body, request, used);
    return { ...answer, document: { type: 'text/markdown', text } };
  }

  /** A write that is stored but cannot be shown yet still says where it is. */
  function tellPosition(route: Route, ctx: Context, error: unknown): never {
    if (route.method !== 'GET' && isDomainError(error, 'projection_behind')) {
      ctx.set(positionHeader, String(error.details?.['requested']));
    }
    throw error;
  }

  function send({ route, ctx, caller }: ReceivedRequest, answer: Answer): KeptAnswer {
    deps.onAnswer?.(route, answer.status, answer.body === undefined ? answer.document?.text : answer.body);
    const hasCredential = ctx.get('authorization') !== '' || ctx.get('cookie') !== '';
    const headers: Record<string, string> = {
      ...answer.headers,
      ...(answer.position !== undefined && { [positionHeader]: String(answer.position) }),
    };
    ctx.set('Cache-Control', cacheControlOf(route.cache, hasCredential));
    if (caller.kind === 'anonymous' && caller.invalidCredential) ctx.set('WWW-Authenticate', invalidTokenHint);
    const text = answer.document?.text ?? (answer.body === undefined ? null : JSON.stringify(answer.body));
    sendText(ctx, { status: answer.status, headers, body: text, ...formOf(answer) });
    return { status: answer.status, headers, body: text, releaseIds: answer.releaseIds ?? [] };
  }

  function sendText(
    ctx: Context,
    { status, headers, body, type = 'application/json', lastModifiedMs }: SentText,
  ): void {
    ctx.set(headers);
    ctx.status = status;
    if (body === null) {
      ctx.body = null;
      ctx.status = status; // Koa makes 204 of a null body
      return;
    }
    const bytes = Buffer.from(body);
    ctx.type = `${type}; charset=utf-8`;
    if (ctx.method === 'GET' || ctx.method === 'HEAD') {
      const etag = etagOf(bytes);
      ctx.set('ETag', etag);
      if (lastModifiedMs !== undefined) ctx.set('Last-Modified', new Date(lastModifiedMs).toUTCString());
      const unless = { ifNoneMatch: ctx.get('if-none-match'), ifModifiedSince: ctx.get('if-modified-since') };
      if (isUnchanged(unless, { etag, lastModifiedMs })) {
        ctx.status = 304;
        return;
      }
    }
    ctx.body = bytes;
  }

  async function performOnce(received: ReceivedRequest, key: string): Promise<void> {
    const { ctx, caller, bytes } = received;
    const { method, path, querystring: query } = ctx;
    const outcome = await idempotencyKeys.begin({ key, callerName: actorOf(caller), method, path, query, body: bytes });
    if (outcome.kind === 'replay') return replay(ctx, outcome.answer);
    const { claim } = outcome;
    await keepAnswer(ctx, claim, async () => send(received, await perform(received, claim)));
  }

  function replay(ctx: Context, answer: KeptAnswer): void {
    ctx.set('Cache-Control', 'private, no-store');
    ctx.set('Idempotency-Replayed', 'true');
    sendText(ctx, answer);
  }

  /** Answers of the server's own troubles are not kept, so that a repeat tries again under the same command. */
  async function keepAnswer(ctx: Context, claim: RunningClaim, work: () => Promise<KeptAnswer>): Promise<void> {
    let answer: KeptAnswer | null;
    let failure: { readonly error: unknown } | null = null;
    try {
      answer = await work();
    } catch (error) {
      failure = { error };
      const { status, headers, body } = problemOf(error);
      const isKept = status < 500 && status !== 429;
      answer = isKept ? { status, headers, body: JSON.stringify(body), releaseIds: [] } : null;
    }
    const keptInstead = await claim.finish(answer);
    if (keptInstead !== null) replay(ctx, keptInstead);
    else if (failure !== null) throw failure.error;
  }

  return async (route, ctx) => {
    const caller = await authenticator.identify(ctx.get('authorization') || undefined, services.clock.nowMs());
    checkAccess(route, caller);
    const bytes = route.body === undefined ? Buffer.alloc(0) : await readBody(ctx.req, route.bodyBytesMax);
    const key = ctx.req.headers['idempotency-key'];
    const received = { route, ctx, caller, bytes };
    if (route.idempotent && key !== undefined) return performOnce(received, String(key));
    send(received, await perform(received, null));
  };
}
