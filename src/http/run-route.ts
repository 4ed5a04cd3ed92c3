import { DomainError, isDomainError } from '../kernel/errors.ts';
import { parseInput } from '../kernel/parse-input.ts';
import type { Projection } from '../kernel/projection.ts';
import type { Ids } from '../ports/ids.ts';
import { GenerationDropped } from '../ports/search-index.ts';
import { actorOf, type Caller, isAdmin, satisfies, scopesOf } from './caller.ts';
import { cacheControlOf, etagOf, keptMsOf } from './caching.ts';
import type { Exchange } from './exchange.ts';
import type { IdentifiedRequest } from './middleware/identify-caller.ts';
import type { IdempotencyKeys, KeptAnswer, RunningClaim } from '../records/idempotency-keys.ts';
import {
  parseMinPosition,
  parseParams,
  parseQuery,
  requireReadableCursor,
  sentParameters,
} from './request/parse-request.ts';
import { invalidTokenHint, problemOf } from './problem.ts';
import { wantsMarkdown } from './ready/accepted-forms.ts';
import { keyOf } from './ready/ready-key.ts';
import { observe } from './ready/observed-services.ts';
import type { Filled, ReadyAnswers } from './ready/ready-answers.ts';
import { addressOf } from './ready/send-ready.ts';
import { parseJsonObject, readBody } from './request/read-body.ts';
import { type Answer, isKeepable, type Route, type RouteRequest } from './route.ts';
import { bytesOf, sendNoText, sendOnce, sendRead, sentOf, textHeaders } from './send-answer.ts';
import { type Services, withNotedWrite, withOneView } from './services.ts';

export interface RouteRunnerDeps {
  readonly services: Services;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly ready: ReadyAnswers;
  readonly ids: Ids;
  readonly waitFor: (reads: readonly Projection[], position: number) => Promise<void>;
  /** Throws when the read models are away, or were never built: what could not be shown afterwards is better not begun. */
  readonly requireReadModels: () => Promise<void>;
  /** Sees every answer before it leaves; tests check it against the route's own schema. */
  readonly onAnswer?: (route: Route, status: number, body: unknown) => void;
}

/** A request whose caller is known and may make it. */
interface ReceivedRequest {
  readonly route: Route;
  readonly ctx: Exchange;
  readonly caller: Caller;
  readonly bytes: Buffer;
}

function checkAccess(route: Route, caller: Caller): void {
  if (route.access === 'public') return;
  if (caller.kind === 'anonymous') throw new DomainError(caller.invalidCredential ? 'invalid_token' : 'unauthorized');
  if (route.access === 'credential' || satisfies(caller, route.access)) return;
  throw new DomainError('insufficient_scope', { required: route.access, granted: scopesOf(caller) });
}

/** What a request says, once it is read. */
type ParsedRequest = Pick<RouteRequest<unknown, unknown, unknown>, 'query' | 'body' | 'sent' | 'minPosition'>;

/** What left with an answer, for whoever keeps it. */
interface SentAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly sent: string | Buffer | null;
}

const identifiedBy = ({ state }: Exchange) => state as Exchange['state'] & IdentifiedRequest;

const positionHeader = 'X-Service-Position';

/** Texts leave streams and the search index after the read models: what was made of these counts as new for that long. */
const othersKeptMs = 1_000;

/** What an answer says, for whoever checks it. */
const saidBy = ({ document, json, body }: Answer): unknown =>
  json === undefined ? (body === undefined ? document?.text : body) : JSON.parse(String(json));

/**
 * A search holds one generation of the index from end to end, and another may take its place meanwhile: then all of it is asked once
 * more, of the one that lives.
 */
const handleOnLive = (route: Route, handle: () => Promise<Answer>): Promise<Answer> =>
  handle().catch((error: unknown) => {
    if (route.method === 'GET' && error instanceof GenerationDropped) return handle();
    throw error;
  });

const hasCredential = (ctx: Exchange): boolean => ctx.get('authorization') !== '' || ctx.get('cookie') !== '';

/** The order of checks is contract 1.4, one line each. */
export function createRouteRunner(deps: RouteRunnerDeps): (route: Route, ctx: Exchange) => Promise<void> {
  const { services, idempotencyKeys, ids, ready } = deps;
  const { nowMs } = services.clock;

  function parse({ route, ctx, caller, bytes }: ReceivedRequest): ParsedRequest {
    const hasBody = route.body !== undefined && !(route.bodyOptional === true && bytes.length === 0);
    const json = hasBody ? parseJsonObject(bytes, ctx.get('content-type') || undefined) : undefined;
    const sent = sentParameters(ctx.querystring, route.query.shape);
    const query = parseQuery(route.query, sent);
    requireReadableCursor(route.query.shape, sent);
    const body = route.body && hasBody ? parseInput(route.body, json) : undefined;
    const minPosition = parseMinPosition(ctx.get('x-service-min-position') || undefined);
    const option = route.adminOption?.({ query, body });
    if (option !== undefined && !isAdmin(caller)) throw new DomainError('forbidden', { option });
    return { query, body, sent, minPosition };
  }

  async function perform(
    { route, ctx, caller }: ReceivedRequest,
    parsed: ParsedRequest,
    used: Services,
    claim: RunningClaim | null,
  ): Promise<Answer> {
    const { minPosition } = parsed;
    const commandId = claim?.commandId ?? ids.commandId();
    const { requestId, timing } = identifiedBy(ctx);
    const endWait = timing.begin('wait');
    if (minPosition !== null) await deps.waitFor(route.reads, minPosition);
    if (route.method !== 'GET') await deps.requireReadModels();
    endWait();
    const isJsonEnough = route.markdown === undefined || !wantsMarkdown(ctx.req);
    const request: RouteRequest<unknown, unknown, unknown> = {
      query: parsed.query,
      body: parsed.body,
      sent: parsed.sent,
      minPosition,
      params: parseParams(route.params, ctx.params, ctx),
      caller,
      admin: isAdmin(caller),
      nowMs: nowMs(),
      command: { commandId, actor: actorOf(caller), correlationId: requestId, cause: 'edit' },
      isRepeatable: claim !== null,
      isJsonEnough,
    };
    const endQuery = timing.begin('query');
    const noted = route.method === 'GET' ? null : withNotedWrite(used);
    const handle = () => route.handle(request, noted?.services ?? used);
    const answer = await handleOnLive(route, handle).catch((error: unknown) =>
      tellPosition(route, ctx, noted === null ? error : noted.problemOf(error)),
    );
    endQuery();
    if (route.markdown === undefined || isJsonEnough) return answer;
    const endPresent = timing.begin('present');
    const text = await route.markdown(answer.body, request, used);
    endPresent();
    return { ...answer, document: { type: 'text/markdown', text } };
  }

  /** A write that is stored but cannot be shown yet still says where it is. */
  function tellPosition(route: Route, ctx: Exchange, error: unknown): never {
    if (route.method !== 'GET' && isDomainError(error, 'projection_behind')) {
      ctx.set(positionHeader, String(error.details?.['requested']));
    }
    throw error;
  }

  function noteBypass(ctx: Exchange): void {
    ready.noteBypass();
    ctx.set('X-Cache', 'BYPASS');
  }

  async function send({ route, ctx, caller }: ReceivedRequest, answer: Answer): Promise<SentAnswer> {
    deps.onAnswer?.(route, answer.status, saidBy(answer));
    const endPresent = identifiedBy(ctx).timing.begin('present');
    const headers: Record<string, string> = {
      ...answer.headers,
      ...(answer.position !== undefined && { [positionHeader]: String(answer.position) }),
    };
    ctx.set('Cache-Control', cacheControlOf(route.cache, hasCredential(ctx)));
    if (isKeepable(route)) noteBypass(ctx);
    if (caller.kind === 'anonymous' && caller.invalidCredential) ctx.set('WWW-Authenticate', invalidTokenHint);
    const sent = sentOf(answer);
    ctx.set(headers);
    await sendOnce(ctx, answer, { sent, nowMs });
    endPresent();
    return { headers, sent };
  }

  /** Nothing of who asks goes into it, and what it is made of is noted if it is kept. */
  async function fill(received: ReceivedRequest, parsed: ParsedRequest, isKept: boolean): Promise<Filled> {
    const { route, ctx } = received;
    const observed = isKept ? observe(services) : null;
    const answer = await perform(received, parsed, observed?.services ?? withOneView(services), null);
    deps.onAnswer?.(route, answer.status, saidBy(answer));
    const sent = sentOf(answer);
    const bytes = bytesOf(sent ?? '');
    const usesOthers = observed === null || observed.usesOthers();
    const othersMs = usesOthers && route.keptMs === undefined ? othersKeptMs : Number.POSITIVE_INFINITY;
    const partsMs = Math.min(othersMs, answer.keptMsMax ?? Number.POSITIVE_INFINITY);
    return {
      answer: {
        status: answer.status,
        headers: {
          'Cache-Control': cacheControlOf(route.cache, false),
          ...answer.headers,
          ...(sent !== null && textHeaders(answer)),
        },
        plain: { etag: etagOf(bytes), bytes },
        lastModified: answer.lastModified,
        routeNumber: ctx.state['routeNumber'] as number,
      },
      tags: observed?.tags() ?? null,
      keptMs: answer.isMakeshift === true ? 0 : Math.min(partsMs, route.keptMs ?? keptMsOf(route.cache)),
    };
  }

  /** What is ready, or made for all who ask meanwhile. */
  async function sendShared(received: ReceivedRequest, parsed: ParsedRequest): Promise<void> {
    const { route, ctx } = received;
    const isKnown = (name: string): boolean => Object.hasOwn(route.query.shape, name);
    const isPlain = (): boolean => [...new URLSearchParams(ctx.querystring).keys()].every(isKnown);
    const { answer, isHit } = await ready.get({
      key: keyOf(route, { params: ctx.params, ...parsed }, route.markdown !== undefined && wantsMarkdown(ctx.req)),
      address: () => (isPlain() ? addressOf(ctx.req) : null),
      isStatic: route.cache === 'document',
      isPromised: route.isAlwaysKept === true,
      fill: (isKept) => fill(received, parsed, isKept),
    });
    ctx.set(answer.headers);
    ctx.set('X-Cache', isHit ? 'HIT' : (answer.headers['X-Cache'] ?? 'MISS'));
    if (answer.status !== 200) return sendNoText(ctx, answer.status);
    ctx.status = 200;
    const { plain, lastModified } = answer;
    await sendRead(ctx, { plain, lastModified, compressed: (encoding) => ready.compressed(answer, encoding), nowMs });
  }

  async function performOnce(received: ReceivedRequest, key: string): Promise<void> {
    const { ctx, caller, bytes } = received;
    const { method, path, querystring: query } = ctx;
    const outcome = await idempotencyKeys.begin({ key, callerName: actorOf(caller), method, path, query, body: bytes });
    if (outcome.kind === 'replay') return replay(ctx, outcome.answer);
    const { claim } = outcome;
    await keepAnswer(ctx, claim, async () => {
      const answer = await perform(received, parse(received), services, claim);
      const { headers, sent } = await send(received, answer);
      const { status, releaseIds = [] } = answer;
      return { status, headers, body: sent === null ? null : String(sent), releaseIds };
    });
  }

  async function replay(ctx: Exchange, answer: KeptAnswer): Promise<void> {
    ctx.set('Cache-Control', 'private, no-store');
    ctx.set('Idempotency-Replayed', 'true');
    ctx.set(answer.headers);
    await sendOnce(ctx, { status: answer.status }, { sent: answer.body, nowMs });
  }

  /** Answers of the server's own troubles are not kept, so that a repeat tries again under the same command. */
  async function keepAnswer(ctx: Exchange, claim: RunningClaim, work: () => Promise<KeptAnswer>): Promise<void> {
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
    if (keptInstead !== null) await replay(ctx, keptInstead);
    else if (failure !== null) throw failure.error;
  }

  return async (route, ctx) => {
    const { caller } = identifiedBy(ctx);
    checkAccess(route, caller);
    const bytes = route.body === undefined ? Buffer.alloc(0) : await readBody(ctx.req, route.bodyBytesMax);
    const key = ctx.req.headers['idempotency-key'];
    const received = { route, ctx, caller, bytes };
    if (route.idempotent && key !== undefined) return performOnce(received, String(key));
    const parsed = parse(received);
    const mayBeKept =
      isKeepable(route) && !hasCredential(ctx) && parsed.minPosition === null && !route.bypasses?.(parsed);
    if (mayBeKept) return sendShared(received, parsed);
    const used = route.method === 'GET' ? withOneView(services) : services;
    await send(received, await perform(received, parsed, used, null));
  };
}
