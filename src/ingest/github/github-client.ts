import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { answerFailure, askedToWaitMs } from '../answer-failure.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { askThirdParty, type ThirdPartyDeps } from '../third-party.ts';
import { isUrl } from '../../kernel/address/parse-url.ts';

export interface GithubClientDeps extends ThirdPartyDeps {
  /** Without a slash at its end. */
  readonly apiUrl: string;
  readonly token: string | undefined;
  /** Once limited, it asks for nothing until that is over; who does not wait asks for each person anew. */
  readonly isPatient: boolean;
}

export interface GithubRequest {
  readonly url: string;
  readonly deadlineMs: number;
  readonly bodyBytesMax: number;
  readonly accept?: string;
  /** Of the answer that is known; then it may say 304. */
  readonly etag?: string | null;
  /** Statuses beside 404 and 410 that say that there is no such thing. */
  readonly absentToo?: readonly number[];
}

export interface GithubClient {
  readonly apiUrl: string;
  /** 200 or 304; null when there is no such thing. Throws FetchFailed for all else. */
  readonly get: (request: GithubRequest) => Promise<HttpResponse | null>;
}

const absent = new Set([404, 410]);
/** Limits are counted by the hour; a later end is a clock that is wrong. */
const waitMsMax = 60 * 60_000;
/** What GitHub asks for where it limits without saying until when. */
const unnamedWaitMs = 60_000;

/** GitHub says 403 both to who may not and to who asks too often. */
function isLimited({ status, headers, body }: HttpResponse): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  if (headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined) return true;
  return /rate limit/i.test(new TextDecoder().decode(body.subarray(0, 2_000)));
}

/** Until the requests that are allowed are counted anew, where none is left. */
function untilResetMs({ headers }: HttpResponse, nowMs: number): number | null {
  const reset = headers['x-ratelimit-reset'] ?? '';
  if (headers['x-ratelimit-remaining'] !== '0' || !/^\d{1,12}$/.test(reset)) return null;
  return Math.max(0, Number(reset) * 1_000 - nowMs);
}

const limitedFor = (retryAfterMs: number, status: number | null): FetchFailed =>
  new FetchFailed('limited', status, { retryAfterMs, sentence: 'GitHub takes no more requests of ours for now.' });

/** Asks GitHub, and nobody else. */
export function createGithubClient(deps: GithubClientDeps): GithubClient {
  const { clock, apiUrl, token, isPatient } = deps;
  const headers = {
    'user-agent': `${serviceName}/${serviceVersion}`,
    'x-github-api-version': '2022-11-28',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  let silentUntilMs = Number.NEGATIVE_INFINITY;

  const beSilentFor = (waitMs: number): void => {
    silentUntilMs = Math.max(silentUntilMs, clock.nowMs() + waitMs);
  };

  /** Also the last one that was allowed says that it was the last. */
  const obeyLimits = (answer: HttpResponse): void => {
    const nowMs = clock.nowMs();
    const untilMs = untilResetMs(answer, nowMs);
    if (!isLimited(answer)) {
      if (untilMs !== null) beSilentFor(Math.min(untilMs, waitMsMax));
      return;
    }
    const waitMs = Math.min(askedToWaitMs(answer, nowMs) ?? untilMs ?? unnamedWaitMs, waitMsMax);
    beSilentFor(waitMs);
    throw limitedFor(waitMs, answer.status);
  };

  return {
    apiUrl,
    get: async (request) => {
      const { url, deadlineMs, bodyBytesMax, accept = 'application/vnd.github+json', etag = null } = request;
      if (!isUrl(url)) throw new FetchFailed('unreadable');
      if (new URL(url).origin !== new URL(apiUrl).origin) throw new FetchFailed('blocked');
      const silentMs = silentUntilMs - clock.nowMs();
      // Further away than any limit reaches is a clock that was set back.
      if (isPatient && silentMs > 0 && silentMs <= waitMsMax) throw limitedFor(silentMs, null);
      const sent = { ...headers, accept, ...(etag !== null && { 'if-none-match': etag }) };
      const answer = await askThirdParty(deps, { url, headers: sent, deadlineMs, bodyBytesMax, staysOnHost: true });
      obeyLimits(answer);
      if (answer.status === 200 || (answer.status === 304 && etag !== null)) return answer;
      if (absent.has(answer.status) || request.absentToo?.includes(answer.status)) return null;
      throw answerFailure(answer, clock.nowMs());
    },
  };
}
