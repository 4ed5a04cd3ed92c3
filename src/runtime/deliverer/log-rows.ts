import type { DeliveryState } from '../../delivery/delivery-state.ts';
import type { NextStep } from '../../delivery/next-step.ts';
import type { DeliveryLogRow } from '../../records/delivery/delivery-log.ts';
import type { MadeAttempt } from './make-attempt.ts';

/** The document of an attempt as it was written before anything was sent. */
export interface Begun {
  readonly document: DeliveryState;
  /** No other attempt was ever begun with it: whoever takes one over writes a later one. */
  readonly revision: number;
}

const rowOf = ({ document, revision }: Begun) => {
  const { id, webhookId, eventId, run, attempt } = document;
  return { id: `${id}:${run}:${attempt}:${revision}`, webhookId, eventId, run, attempt, isTest: false };
};

export const attemptRow = (
  begun: Begun,
  { result, atMs, latencyMs }: MadeAttempt,
  { outcome, errorCode, errorMessage, nextAttemptAtMs }: NextStep,
): DeliveryLogRow => ({
  ...rowOf(begun),
  outcome,
  httpStatus: result.kind === 'answer' ? result.status : 0,
  latencyMs,
  errorCode,
  errorMessage,
  atMs,
  nextAttemptAtMs,
  failed: outcome === 'success' ? 0 : 1,
});

/**
 * Told once for each time a webhook is disabled, however many deliveries end so at that moment: all of them make a
 * row of the same id.
 */
export const autoDisabledRow = (last: DeliveryState, disabledAtMs: number): DeliveryLogRow => ({
  id: `${last.webhookId}:auto_disabled:${disabledAtMs}`,
  webhookId: last.webhookId,
  eventId: last.eventId,
  run: last.run,
  attempt: last.attempt,
  outcome: 'auto_disabled',
  httpStatus: 0,
  latencyMs: 0,
  errorCode: 'gone',
  errorMessage: 'The receiver is gone, so the subscription was disabled.',
  atMs: disabledAtMs,
  nextAttemptAtMs: null,
  isTest: false,
  failed: 1,
});

const skipSentences = {
  disabled: 'The subscription is disabled or deleted.',
  withdrawn: 'The release was withdrawn.',
};

export const skipRow = (begun: Begun, errorCode: keyof typeof skipSentences, atMs: number): DeliveryLogRow => ({
  ...rowOf(begun),
  outcome: 'skipped',
  httpStatus: 0,
  latencyMs: 0,
  errorCode,
  errorMessage: skipSentences[errorCode],
  atMs,
  nextAttemptAtMs: null,
  failed: 0,
});

/** Nothing was sent, and nothing ever will be: what is to be sent cannot be found out. */
export const unplannedRow = (ended: Begun, atMs: number): DeliveryLogRow => ({
  ...rowOf(ended),
  outcome: 'dlq',
  httpStatus: 0,
  latencyMs: 0,
  errorCode: null,
  errorMessage: 'The delivery could not be prepared.',
  atMs,
  nextAttemptAtMs: null,
  failed: 1,
});
