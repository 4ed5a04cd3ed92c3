import { cutText } from '../kernel/text-rules.ts';
import { retryAfterMs } from '../kernel/retry-after.ts';

export type AttemptResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** The header as it came. */
      readonly retryAfter: string | null;
      /** As much of the body as was read. */
      readonly body?: string;
    }
  | { readonly kind: 'failure'; readonly reason: 'timeout' | 'dns' | 'tls' | 'network' }
  /** The target is not allowed (contract 13.12); nothing was sent. */
  | { readonly kind: 'blocked' };

/** Of contract 13.9; `disabled` and `withdrawn` are of rows that are no attempts. */
export type AttemptErrorCode =
  | 'network'
  | 'dns'
  | 'timeout'
  | 'tls'
  | 'subscriber_3xx'
  | 'subscriber_4xx'
  | 'subscriber_5xx'
  | 'gone'
  | 'ssrf_blocked';

export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly result: AttemptResult;
  /** How long to wait after each failure; one attempt more than these are made. */
  readonly delaysMs: readonly number[];
  readonly nowMs: number;
  /** At least 0, below 1. */
  readonly randomFraction: number;
}

export interface NextStep {
  readonly outcome: 'success' | 'retry' | 'perm_fail' | 'dlq';
  readonly errorCode: AttemptErrorCode | null;
  readonly errorMessage: string | null;
  /** Set on retry. */
  readonly nextAttemptAtMs: number | null;
  /** Why the webhook is to be disabled, if it is. */
  readonly disables: 'gone' | null;
}

interface Verdict {
  readonly code: AttemptErrorCode | null;
  readonly mayRetry: boolean;
}

const errorCharsMax = 200;
/** A jittered delay is at least this part of the delay; the rest up to 1 is added above it as well. */
export const jitterFloor = 0.8;

const retried4xx = new Set([408, 425, 429]);
const statusesWithRetryAfter = new Set([429, 503]);

const verdictOnStatus = (status: number): Verdict => {
  if (status >= 200 && status < 300) return { code: null, mayRetry: false };
  if (status >= 300 && status < 400) return { code: 'subscriber_3xx', mayRetry: false };
  if (status === 410) return { code: 'gone', mayRetry: false };
  if (status >= 400 && status < 500) return { code: 'subscriber_4xx', mayRetry: retried4xx.has(status) };
  if (status >= 500 && status < 600) return { code: 'subscriber_5xx', mayRetry: true };
  return { code: 'network', mayRetry: true }; // HTTP has no such final answer: something on the way garbled it
};

const verdictOn = (result: AttemptResult): Verdict => {
  switch (result.kind) {
    case 'answer':
      return verdictOnStatus(result.status);
    case 'failure':
      return { code: result.reason, mayRetry: true };
    case 'blocked':
      return { code: 'ssrf_blocked', mayRetry: false };
  }
};

// Our own sentences: what a resolver or a TLS library says may hold the address, and that may hold a credential.
const failureSentences = {
  timeout: 'The receiver did not answer in time.',
  dns: 'The host name of the receiver could not be resolved.',
  tls: 'No secure connection: the certificate or the TLS handshake failed.',
  network: 'The connection to the receiver failed.',
};

/** The beginning of what the receiver said, as one line that can be stored and shown anywhere. */
const readable = (body: string): string => cutText(body.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim(), errorCharsMax);

const messageOf = (result: AttemptResult): string => {
  switch (result.kind) {
    case 'answer':
      return readable(result.body ?? '') || `The receiver answered ${result.status}.`;
    case 'failure':
      return failureSentences[result.reason];
    case 'blocked':
      return 'The address of the receiver is not allowed.';
  }
};

const waitMs = (delayMs: number, { result, nowMs, randomFraction }: Attempt): number => {
  if (result.kind === 'answer' && result.retryAfter !== null && statusesWithRetryAfter.has(result.status)) {
    const askedMs = retryAfterMs(result.retryAfter, nowMs);
    if (askedMs !== null) return Math.min(Math.max(askedMs, delayMs), 2 * delayMs);
  }
  return Math.ceil(delayMs * (jitterFloor + 2 * (1 - jitterFloor) * randomFraction));
};

/** What follows from how an attempt ended (contract 13.7). */
export const nextStep = (attempt: Attempt): NextStep => {
  const { number, result, delaysMs, nowMs } = attempt;
  const { code, mayRetry } = verdictOn(result);
  const ended = { errorCode: code, nextAttemptAtMs: null, disables: null };
  if (code === null) return { ...ended, outcome: 'success', errorMessage: null };

  const failed = { ...ended, errorMessage: messageOf(result) };
  if (!mayRetry) return { ...failed, outcome: 'perm_fail', disables: code === 'gone' ? 'gone' : null };
  const delayMs = delaysMs[number - 1];
  if (delayMs === undefined) return { ...failed, outcome: 'dlq' };
  return { ...failed, outcome: 'retry', nextAttemptAtMs: nowMs + waitMs(delayMs, attempt) };
};
