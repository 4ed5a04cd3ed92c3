import type { FetchPriority } from '../domain/enumerations.ts';

/** How contact with a source ended. */
export type ContactStatus = 'success' | 'no_change' | 'error' | 'blocked' | 'timeout';

/** Every status of the fetch log (contract 15.4). */
export const fetchStatuses = ['success', 'no_change', 'error', 'blocked', 'timeout', 'skipped', 'dry_run'] as const;
export type FetchStatus = (typeof fetchStatuses)[number];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const longestMs = 72 * hourMs;
const noChangeHoursMax = 48;
const firstErrorMs = 15 * minuteMs;
/** 2^20 times any of them is beyond every bound; more would not be a number for long. */
const doublingsMax = 20;
/** ± 10 %, so that sources that were added together do not stay together. */
const jitter = 0.1;

/** How often a source is asked that has something new each time. A paused one that somebody asks for is as a low one. */
export const fetchPeriodMs = (priority: FetchPriority): number => (priority === 'normal' ? 4 : 24) * hourMs;

const doubled = (firstMs: number, inARow: number, maxMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(Math.max(0, inARow - 1), doublingsMax), maxMs);

export const isFailure = (status: ContactStatus): boolean => status !== 'success' && status !== 'no_change';

export interface FetchDelayInput {
  readonly status: ContactStatus;
  /** Contacts that ended so, this one too: all failures are of one kind. */
  readonly inARow: number;
  readonly priority: FetchPriority;
  /** How long the third party asks us to wait. */
  readonly retryAfterMs: number | null;
  /** By chance, at least 0, below 1. */
  readonly fraction: number;
}

/** How long a source is left alone after a contact with it (contract 15.2). */
export function fetchDelayMs({ status, inARow, priority, retryAfterMs, fraction }: FetchDelayInput): number {
  const periodMs = fetchPeriodMs(priority);
  const plainMs = isFailure(status)
    ? doubled(firstErrorMs, inARow, longestMs)
    : status === 'success'
      ? periodMs
      : Math.max(periodMs, doubled(hourMs, inARow, noChangeHoursMax * hourMs));
  const delayMs = Math.round(plainMs * (1 - jitter + 2 * jitter * fraction));
  if (!isFailure(status) || retryAfterMs === null) return delayMs;
  // Chance must not make it shorter than what was asked for.
  return Math.max(delayMs, Math.min(retryAfterMs, longestMs));
}
