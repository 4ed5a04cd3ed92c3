import type { HttpResponse } from '../../ports/http-client.ts';
import { FetchFailed } from '../fetch-failed.ts';
import type { FetchMemory } from '../source-fetcher.ts';
import { readFeedDate } from './feed-date.ts';

const validatorCharsMax = 1_000;

/** The header as it is to be sent back; one that no header may hold is forgotten. */
const validatorOf = (value: string | undefined): string | null =>
  value !== undefined && value.length <= validatorCharsMax && /^[\x20-\x7e]+$/.test(value) ? value : null;

/** What the next request asks with. */
export const validatorsIn = ({ headers }: HttpResponse): Pick<FetchMemory, 'etag' | 'lastModified'> => ({
  etag: validatorOf(headers['etag']),
  lastModified: validatorOf(headers['last-modified']),
});

export const conditionsFrom = ({ etag, lastModified }: FetchMemory): Record<string, string> => ({
  ...(typeof etag === 'string' && { 'if-none-match': etag }),
  ...(typeof lastModified === 'string' && { 'if-modified-since': lastModified }),
});

/** In seconds or as a date; null when neither. */
function retryAfterMs({ headers }: HttpResponse, nowMs: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = readFeedDate(text);
  return date === null ? null : Math.max(0, Date.parse(date) - nowMs);
}

export function failureOf(response: HttpResponse, nowMs: number): FetchFailed {
  const { status } = response;
  const patience = { retryAfterMs: retryAfterMs(response, nowMs) };
  if (status === 429) return new FetchFailed('limited', status, patience);
  if (status >= 500) return new FetchFailed('server_error', status, patience);
  return new FetchFailed([401, 403, 451].includes(status) ? 'refused' : 'unreadable', status, patience);
}
