import type { DeliveryMessage } from './message.ts';
import type { AttemptErrorCode, NextStep } from './next-step.ts';

/**
 * How far one event is with one webhook. Every transition is written by compare-and-set on the document it was
 * made from; that is what keeps two members of a group from making the same attempt.
 */
export interface DeliveryState {
  readonly id: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly releaseId: string;
  /** 1 for the delivery that the event caused; one more with each resend. */
  readonly run: number;
  /** The attempt that is due or being made, or the last one of the run. */
  readonly attempt: number;
  readonly phase: 'due' | 'sending' | 'final';
  /** When the attempt may be made; its message may name a later time. */
  readonly notBeforeMs: number;
  /** While sending: from then on another member may take the attempt for lost and make it again. */
  readonly leaseUntilMs: number | null;
  /** Null until the first attempt of the run has ended. */
  readonly outcome: NextStep['outcome'] | 'skipped' | null;
  /** Of the last attempt that ended in this run. */
  readonly errorCode: AttemptErrorCode | 'disabled' | 'withdrawn' | null;
  /** In any run. */
  readonly hasSucceeded: boolean;
  /** How often the bus gave the message of this attempt up, because nobody could tell what to send. */
  readonly burials: number;
  readonly changedAtMs: number;
}

export interface Enqueued {
  readonly document: DeliveryState;
  /** To be produced once the document is written. */
  readonly message: DeliveryMessage;
}

export type BeginResult =
  /** Write the document, and only then send. */
  | { readonly kind: 'begin'; readonly document: DeliveryState }
  /** The message is behind its document, or all is done. Produce `next` where there is one, then be done with it. */
  | { readonly kind: 'stale'; readonly next: DeliveryMessage | null }
  /** Another member is making this attempt; after `untilMs` it has failed to. */
  | { readonly kind: 'busy'; readonly untilMs: number };

type Place = Pick<DeliveryMessage, 'run' | 'attempt'>;

export const deliveryIdOf = (eventId: string, webhookId: string): string => `${eventId}:${webhookId}`;

const isBehind = (message: Place, document: Place): boolean =>
  message.run < document.run || (message.run === document.run && message.attempt < document.attempt);

export const isSamePlace = (message: Place, document: Place): boolean =>
  message.run === document.run && message.attempt === document.attempt;

const enqueued = (document: DeliveryState): Enqueued => {
  const { eventId, webhookId, releaseId, run, attempt, notBeforeMs } = document;
  return { document, message: { eventId, webhookId, releaseId, run, attempt, notBefore: notBeforeMs } };
};

/** The message that carries a delivery on, for whoever finds that it may have been lost; null when all is done. */
export const messageOf = (document: DeliveryState): DeliveryMessage | null => {
  if (document.phase === 'final') return null;
  // Whoever sends has a message of its own; a second one is only of use if that one does not finish.
  const { message } = enqueued(document);
  return { ...message, notBefore: Math.max(document.notBeforeMs, document.leaseUntilMs ?? 0) };
};

interface NewDelivery extends Pick<DeliveryMessage, 'eventId' | 'webhookId' | 'releaseId'> {
  readonly nowMs: number;
}

/** A delivery that nobody has tried yet. */
export const newDelivery = ({ eventId, webhookId, releaseId, nowMs }: NewDelivery): Enqueued =>
  enqueued({
    id: deliveryIdOf(eventId, webhookId),
    eventId,
    webhookId,
    releaseId,
    run: 1,
    attempt: 1,
    phase: 'due',
    notBeforeMs: nowMs,
    leaseUntilMs: null,
    outcome: null,
    errorCode: null,
    hasSucceeded: false,
    burials: 0,
    changedAtMs: nowMs,
  });

/**
 * A document is written before its message is produced, but for the first one of a delivery. Else one that is missing or
 * behind was lost, to a restored backup or to its age; then the message alone knows how far the delivery is.
 */
const placedByMessage = (document: DeliveryState | null, message: DeliveryMessage, nowMs: number): DeliveryState => {
  const { run, attempt, notBefore } = message;
  const fresh = newDelivery({ ...message, nowMs }).document;
  return { ...fresh, run, attempt, notBeforeMs: notBefore, hasSucceeded: document?.hasSucceeded ?? false };
};

/** The document of an attempt that nobody could begin, so that the delivery is known while its message goes astray. */
export const dueNow = (document: DeliveryState | null, message: DeliveryMessage, nowMs: number): DeliveryState => ({
  ...placedByMessage(document, message, nowMs),
  notBeforeMs: nowMs,
});

/** Whether the attempt that a message names is to be made now, given the document of its delivery. */
export const begin = (
  document: DeliveryState | null,
  message: DeliveryMessage,
  nowMs: number,
  leaseMs: number,
): BeginResult => {
  if (document !== null) {
    const { phase, leaseUntilMs } = document;
    const isDone = phase === 'final' && isSamePlace(message, document);
    if (isDone || isBehind(message, document)) return { kind: 'stale', next: messageOf(document) };
    // A lease that has run out means a crash: at least once is promised, so the attempt is made again.
    if (phase === 'sending' && leaseUntilMs !== null && leaseUntilMs > nowMs) {
      return { kind: 'busy', untilMs: leaseUntilMs };
    }
  }
  const begun =
    document !== null && isSamePlace(message, document) ? document : placedByMessage(document, message, nowMs);
  return {
    kind: 'begin',
    document: { ...begun, phase: 'sending', leaseUntilMs: nowMs + leaseMs, burials: 0, changedAtMs: nowMs },
  };
};

function requireSending({ id, phase }: DeliveryState): void {
  if (phase !== 'sending') throw new Error(`delivery ${id} has no attempt that could end: it is ${phase}`);
}

/** The document to write with the log row of the attempt, and what to produce after that. */
export const afterAttempt = (
  document: DeliveryState,
  { outcome, errorCode, nextAttemptAtMs }: NextStep,
  nowMs: number,
): { readonly document: DeliveryState; readonly message: DeliveryMessage | null } => {
  requireSending(document);
  const hasSucceeded = document.hasSucceeded || outcome === 'success';
  const ended = { ...document, leaseUntilMs: null, outcome, errorCode, hasSucceeded, changedAtMs: nowMs };
  if (nextAttemptAtMs === null) return { document: { ...ended, phase: 'final' }, message: null };
  return enqueued({ ...ended, phase: 'due', attempt: document.attempt + 1, notBeforeMs: nextAttemptAtMs });
};

/** The begun attempt is not made: the webhook is disabled or deleted, or the release was withdrawn. */
export const skipAttempt = (
  document: DeliveryState,
  errorCode: 'disabled' | 'withdrawn',
  nowMs: number,
): DeliveryState => {
  requireSending(document);
  return { ...document, phase: 'final', leaseUntilMs: null, outcome: 'skipped', errorCode, changedAtMs: nowMs };
};
