import type { FetchPriority } from '../../domain/enumerations.ts';
import { type ContactStatus, fetchDelayMs, isFailure } from '../../ingest/fetch-delay.ts';
import { dayMs, toTimestamp } from '../../kernel/dates.ts';
import type { FetchState, FetchTrouble } from '../fetch-state.ts';
import { noTrouble } from '../fetch-state.ts';

/** How one contact with a source went. */
export interface Contact {
  readonly status: ContactStatus;
  readonly endedMs: number;
  /** At most 500 characters. */
  readonly error: string | null;
  /** What was asked for is not there, as the third party says. */
  readonly isClientError: boolean;
  readonly retryAfterMs: number | null;
  readonly priority: FetchPriority;
  /** Null where they were not counted. */
  readonly stars: number | null;
  /** By chance, at least 0, below 1. */
  readonly fraction: number;
}

export interface ContactAfter {
  /** Without `nextFetchAfter`, which only sources have that are fetched by schedule. */
  readonly state: Partial<FetchState>;
  readonly trouble: FetchTrouble;
  /** When the source may be asked again. */
  readonly nextMs: number;
}

function countersAfter(before: FetchState, status: ContactStatus) {
  const { consecutiveNoChange, consecutiveErrors } = before;
  if (isFailure(status)) return { consecutiveNoChange, consecutiveErrors: consecutiveErrors + 1 };
  return { consecutiveNoChange: status === 'success' ? 0 : consecutiveNoChange + 1, consecutiveErrors: 0 };
}

function troubleAfter(before: FetchTrouble, { status, endedMs, error, isClientError }: Contact): FetchTrouble {
  if (!isFailure(status)) return noTrouble;
  const clientErrors = isClientError ? before.clientErrors + 1 : 0;
  return { sinceMs: before.sinceMs ?? endedMs, clientErrors, lastError: error };
}

/** The bookkeeping of contract 15.2. */
export function contactAfter(before: FetchState, troubleBefore: FetchTrouble, contact: Contact): ContactAfter {
  const { status, endedMs, retryAfterMs, priority, stars, fraction } = contact;
  const at = toTimestamp(endedMs);
  const counters = countersAfter(before, status);
  const inARow = isFailure(status) ? counters.consecutiveErrors : counters.consecutiveNoChange;
  const delayMs = fetchDelayMs({ status, inARow, priority, retryAfterMs, fraction });
  return {
    state: {
      ...counters,
      lastPolledAt: at,
      ...(!isFailure(status) && { lastFetchedAt: at }),
      ...(status === 'success' && { changeDetectedAt: at }),
      ...(stars !== null && { stars, starsFetchedAt: at }),
    },
    trouble: troubleAfter(troubleBefore, contact),
    nextMs: endedMs + delayMs,
  };
}

const errorsMin = 20;
const errorsSpanMs = 14 * dayMs;

/** Whether a source has failed so often and for so long that it is asked no more (contract 15.3). */
export const isGivenUp = (consecutiveErrors: number, { sinceMs }: FetchTrouble, nowMs: number): boolean =>
  consecutiveErrors >= errorsMin && sinceMs !== null && nowMs - sinceMs >= errorsSpanMs;
