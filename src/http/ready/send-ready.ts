import type { Context } from 'koa';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { isUnchanged } from '../caching.ts';
import { anyOriginHeaders, variesBy } from '../middleware/cors.ts';
import { everyAnswerHeaders } from '../middleware/every-answer-headers.ts';
import type { Verdict } from '../middleware/rate-limit.ts';
import type { RequestMeter } from '../request-meter.ts';
import { acceptedEncoding, type Encoding, encodings, wantsMarkdown } from './accepted-forms.ts';
import { isWorthCompressing } from './compress.ts';
import type { KeptAnswer } from './kept-answers.ts';
import { type SentForm, unsentTag } from './ready-answer.ts';
import { headLines, type ReadyResponse } from './ready-head.ts';
import type { ReadyAnswers } from './ready-answers.ts';

type Request = Context['req'];

/** The same address may be asked for as JSON and as Markdown. No address has a space; that of most requests is not made anew. */
export const addressOf = (request: Request): string => {
  const { url = '' } = request;
  return wantsMarkdown(request) ? `Markdown ${url}` : url;
};

/** What only says how the bytes are: an answer without them has none of it. */
const bodyHeaders: ReadonlySet<string> = new Set(['Content-Type', 'Content-Encoding']);

/** All that the head of an answer depends on. */
interface Sent {
  readonly status: 200 | 304;
  readonly form: SentForm;
  readonly encoding: Encoding | null;
}

const headNumber = ({ status, encoding }: Sent): number =>
  (encoding === null ? 0 : 1 + encodings.indexOf(encoding)) * 2 + (status === 304 ? 1 : 0);

/** Makes the answer of a request that nothing is ready for. */
export type GoOn = (request: Request, response: ReadyResponse, verdict: Verdict | null) => void;

/**
 * Sends what is ready without Koa, or has the request go on. Where the answer is just being made for somebody else, it waits
 * for that: after each write all who ask for the newest come at once, and the longer way costs many times as much.
 */
export type SendReady = (
  request: Request,
  response: ReadyResponse,
  verdict: Verdict | null,
  goOn: GoOn,
) => Promise<void> | undefined;

interface Waiting {
  readonly begunMs: number;
  /** It was waited for until the answer was made. */
  readonly isOver: boolean;
}

/** Whoever asks has this answer already. */
const hasIt = ({ headers }: Request, { plain, lastModified }: KeptAnswer, nowMs: () => number): boolean => {
  const ifNoneMatch = headers['if-none-match'];
  const ifModifiedSince = headers['if-modified-since'];
  if (ifNoneMatch === undefined && ifModifiedSince === undefined) return false;
  const unless = { ifNoneMatch: ifNoneMatch ?? '', ifModifiedSince: ifModifiedSince ?? '' };
  return isUnchanged(unless, { etag: plain.etag, lastModified }, nowMs);
};

export function createSendReady(deps: {
  readonly ready: ReadyAnswers;
  readonly trustedOrigins: readonly string[];
  readonly ids: Ids;
  readonly clock: Clock;
  readonly meter: RequestMeter;
}): SendReady {
  const { ready, ids, clock, meter } = deps;
  const trusted = new Set(deps.trustedOrigins);
  const vary = variesBy(deps.trustedOrigins);

  function makeHead(kept: KeptAnswer, { form, encoding, status }: Sent): string {
    const headers: Record<string, string> = {
      ...everyAnswerHeaders,
      Vary: vary,
      ...anyOriginHeaders,
      ...kept.headers,
      'X-Cache': 'HIT',
      ETag: status === 304 ? unsentTag(kept.plain, encoding) : form.etag,
      ...(encoding !== null && { 'Content-Encoding': encoding }),
    };
    return headLines(Object.entries(headers).filter(([name]) => status === 200 || !bodyHeaders.has(name)));
  }

  /** With what each request has of its own. */
  function headOf(kept: KeptAnswer, sent: Sent, verdict: Verdict | null): string {
    const number = headNumber(sent);
    let made = kept.heads.get(number);
    if (made === undefined) {
      made = makeHead(kept, sent);
      kept.heads.set(number, made);
    }
    const own = `X-Service-Request-Id: ${ids.requestId()}\r\n${made}`;
    if (verdict === null) return own;
    const { 'RateLimit-Policy': policy, RateLimit: limit } = verdict.headers;
    return `${own}RateLimit-Policy: ${policy}\r\nRateLimit: ${limit}\r\n`;
  }

  /** Nobody waits here for a form that is being made: the plain one is as good. Who has it made goes the longer way, or takes that, too. */
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

  /** All who waited come here at once, and would each have it made: the first of them has, and they take the plain one. */
  const formOrPlain = (kept: KeptAnswer, encoding: Encoding | null): SentForm => {
    const form = formFor(kept, encoding);
    if (form !== 'not made yet') return form;
    ready.compressed(kept, encoding!).catch(() => undefined); // the next who asks has it made, and is told
    return kept.plain;
  };

  /** False when there is nothing for this request. */
  function send(request: Request, response: ReadyResponse, verdict: Verdict | null, waiting: Waiting): boolean {
    const kept = ready.find(addressOf(request));
    if (kept === null) return false;
    const accepted = acceptedEncoding(request);
    const status = hasIt(request, kept, clock.nowMs) ? 304 : 200;
    const formOf = waiting.isOver ? formOrPlain : formFor;
    const form = status === 304 ? kept.plain : formOf(kept, accepted);
    if (form === 'not made yet') return false;
    ready.noteHit();
    const encoding = status === 200 && form === kept.plain ? null : accepted;
    response.endReady(status, headOf(kept, { status, form, encoding }, verdict), status === 200 ? form.bytes : null);
    meter.end(kept.routeNumber, status, waiting.begunMs);
    return true;
  }

  return (request, response, verdict, goOn) => {
    if (!mayBeReady(request)) {
      goOn(request, response, verdict);
      return undefined;
    }
    const begunMs = meter.begin();
    if (send(request, response, verdict, { begunMs, isOver: false })) return undefined;
    const coming = ready.coming(addressOf(request));
    if (coming === null) {
      goOn(request, response, verdict);
      return undefined;
    }
    return coming.then(() => {
      if (response.headersSent) return; // its connection broke, or it took too long: that was said already
      // What was made may be old already, or have failed: then it is made for this request, as for any other.
      if (!send(request, response, verdict, { begunMs, isOver: true })) goOn(request, response, verdict);
    });
  };
}
