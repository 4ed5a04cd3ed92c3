import type { Context } from 'koa';
import type { Ids } from '../../ports/ids.ts';
import { isUnchanged } from '../caching.ts';
import { anyOriginHeaders, variesBy } from '../middleware/cors.ts';
import { everyAnswerHeaders } from '../middleware/every-answer-headers.ts';
import type { Verdict } from '../middleware/rate-limit.ts';
import type { RequestMeter } from '../request-meter.ts';
import { acceptedEncoding, type Encoding, wantsMarkdown } from './accepted-forms.ts';
import { isWorthCompressing } from './compress.ts';
import type { KeptAnswer } from './kept-answers.ts';
import { type SentForm, unsentTag } from './ready-answer.ts';
import type { ReadyAnswers } from './ready-answers.ts';

type Request = Context['req'];
type Response = Context['res'];

/** The same address may be asked for as JSON and as Markdown. */
export const addressOf = (request: Request): string => `${wantsMarkdown(request) ? 'm' : 'j'}${request.url ?? ''}`;

/** What only says how the bytes are: an answer without them has none of it. */
const bodyHeaders: ReadonlySet<string> = new Set(['Content-Type', 'Content-Encoding', 'Content-Length']);

/** Sends what is ready without Koa. False when there is nothing for this request. */
export type SendReady = (request: Request, response: Response, verdict: Verdict | null) => boolean;

export function createSendReady(deps: {
  readonly ready: ReadyAnswers;
  readonly trustedOrigins: readonly string[];
  readonly ids: Ids;
  readonly meter: RequestMeter;
}): SendReady {
  const { ready, ids, meter } = deps;
  const trusted = new Set(deps.trustedOrigins);
  const vary = variesBy(deps.trustedOrigins);

  /** Names and values in turn, as Node takes them fastest; the first value is that of the request id. */
  function makeHead(kept: KeptAnswer, form: SentForm, encoding: Encoding | null, status: 200 | 304): readonly string[] {
    const headers: Record<string, string> = {
      'X-Service-Request-Id': '',
      ...everyAnswerHeaders,
      Vary: vary,
      ...anyOriginHeaders,
      ...kept.headers,
      'X-Cache': 'HIT',
      ETag: status === 304 ? unsentTag(kept.plain, encoding) : form.etag,
      ...(encoding !== null && { 'Content-Encoding': encoding }),
      'Content-Length': String(form.bytes.length),
    };
    const named = Object.entries(headers);
    return (status === 200 ? named : named.filter(([name]) => !bodyHeaders.has(name))).flat();
  }

  function headOf(kept: KeptAnswer, form: SentForm, encoding: Encoding | null, status: 200 | 304): string[] {
    const key = `${status} ${encoding ?? ''}`;
    let head = kept.heads.get(key);
    if (head === undefined) {
      head = makeHead(kept, form, encoding, status);
      kept.heads.set(key, head);
    }
    return head.slice();
  }

  /** Nobody waits here for a form that is being made: the plain one is as good. Who has it made goes the longer way. */
  const formFor = (kept: KeptAnswer, encoding: Encoding | null): SentForm | 'not made yet' => {
    if (encoding === null || !isWorthCompressing(kept.plain.bytes)) return kept.plain;
    return kept.twins.get(encoding) ?? (kept.compressing.has(encoding) ? kept.plain : 'not made yet');
  };

  const mayBeReady = ({ method, headers }: Request): boolean =>
    method === 'GET' &&
    headers.authorization === undefined &&
    headers.cookie === undefined &&
    headers['x-service-min-position'] === undefined &&
    (headers.origin === undefined || !trusted.has(headers.origin));

  return (request, response, verdict) => {
    if (!mayBeReady(request)) return false;
    const begunMs = meter.begin();
    const kept = ready.find(addressOf(request));
    if (kept === null) return false;
    const { headers } = request;
    const accepted = acceptedEncoding(request);
    const unless = {
      ifNoneMatch: headers['if-none-match'] ?? '',
      ifModifiedSince: headers['if-modified-since'] ?? '',
    };
    const validators = { etag: kept.plain.etag, lastModifiedMs: kept.lastModifiedMs };
    const status = isUnchanged(unless, validators) ? 304 : 200;
    const form = status === 304 ? kept.plain : formFor(kept, accepted);
    if (form === 'not made yet') return false;
    ready.noteHit();
    const head = headOf(kept, form, status === 200 && form === kept.plain ? null : accepted, status);
    head[1] = ids.commandId();
    if (verdict !== null) {
      const { headers: limits } = verdict;
      head.push('RateLimit-Policy', limits['RateLimit-Policy'], 'RateLimit', limits.RateLimit);
    }
    response.writeHead(status, head).end(status === 200 ? form.bytes : undefined);
    meter.end(kept.routeNumber, status, begunMs);
    return true;
  };
}
