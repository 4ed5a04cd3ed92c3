import { retryAfterMs } from '../kernel/retry-after.ts';
import type { HttpResponse } from '../ports/http-client.ts';
import { FetchFailed, type FetchFailureReason } from './fetch-failed.ts';

/** It does not let us in, whoever we are (contract 15.4, `blocked`). */
const refusals = new Set([401, 403, 451]);

function reasonOf(status: number): FetchFailureReason {
  if (status === 429) return 'limited';
  if (status >= 500) return 'server_error';
  return refusals.has(status) ? 'refused' : 'unreadable';
}

/** How long an answer asks us to wait; null when it does not say. */
export function askedToWaitMs({ headers }: Pick<HttpResponse, 'headers'>, nowMs: number): number | null {
  const header = headers['retry-after'];
  const waitMs = header === undefined ? null : retryAfterMs(header, nowMs);
  return waitMs === null ? null : Math.max(0, waitMs);
}

/** What an answer means that does not carry what was asked for. */
export const answerFailure = (answer: Pick<HttpResponse, 'status' | 'headers'>, nowMs: number): FetchFailed =>
  new FetchFailed(reasonOf(answer.status), answer.status, {
    retryAfterMs: askedToWaitMs(answer, nowMs),
  });
