import { afterAttempt, type DeliveryState, isSamePlace, skipAttempt } from '../../delivery/delivery-state.ts';
import type { DeliveryMessage } from '../../delivery/message.ts';
import { nextStep } from '../../delivery/next-step.ts';
import type { RetryDelay } from '../../delivery/retry-delays.ts';
import { deliveriesTopic } from '../../delivery/topics.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { attemptsMax, type ConsumeOptions } from '../../ports/message-bus.ts';
import type { Random } from '../../ports/random.ts';
import type { AttemptLedger } from './attempt-ledger.ts';
import type { DeliveryOutlet } from './delivery-outlet.ts';
import type { DeliveryTopics } from './delivery-topics.ts';
import { attemptRow, type Begun, skipRow } from './log-rows.ts';
import type { AttemptToMake, MadeAttempt } from './make-attempt.ts';
import type { OnAttempt, OnDeliveryOutcome } from './on-attempt.ts';
import { readMessage } from './read-message.ts';
import type { Taken } from './take-delivery.ts';
import type { Waits } from './waits.ts';

export interface HandleDeliveryDeps {
  /** Told whether the bus gives the message up if this fails. */
  readonly take: (message: DeliveryMessage, isLastTry: boolean) => Promise<Taken>;
  readonly makeAttempt: (attempt: AttemptToMake) => Promise<MadeAttempt>;
  readonly ledger: AttemptLedger;
  readonly outlet: DeliveryOutlet;
  readonly topics: DeliveryTopics;
  readonly delays: readonly RetryDelay[];
  readonly disableGone: (last: DeliveryState, lost: AbortSignal) => Promise<void>;
  readonly waits: Waits;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onAttempt: OnAttempt | undefined;
  readonly onOutcome: OnDeliveryOutcome | undefined;
}

/**
 * Compare-and-set to sending, HTTP, one transaction, the next message, done: a crash between any two of these hands the
 * message over again, and the document says how far it came.
 */
export function createHandleDelivery(deps: HandleDeliveryDeps): ConsumeOptions['handle'] {
  const { take, makeAttempt, ledger, outlet, topics, disableGone, waits, clock, random, log } = deps;
  const { onAttempt, onOutcome } = deps;
  const delaysMs = deps.delays.map(({ delayMs }) => delayMs);

  async function carryOn(document: DeliveryState, next: DeliveryMessage | null, lost: AbortSignal): Promise<void> {
    if (next !== null) await waits.reach(() => outlet.enqueue(next), lost);
    else if (document.outcome === 'dlq') await waits.reach(() => outlet.tellDeadLetter(document), lost);
  }

  /** Only the message of the last attempt may have been handed over again before all that follows was done. */
  async function finish(message: DeliveryMessage, document: DeliveryState, lost: AbortSignal): Promise<void> {
    if (!isSamePlace(message, document)) return;
    await carryOn(document, null, lost);
    if (document.errorCode === 'gone') await disableGone(document, lost);
  }

  async function giveUp(document: DeliveryState, error: unknown, lost: AbortSignal): Promise<void> {
    const { eventId, webhookId } = document;
    log.error('a delivery could not be prepared again and again, and is given up', { eventId, webhookId, error });
    onOutcome?.('given_up');
    await carryOn(document, null, lost);
  }

  async function skip(begun: Begun, errorCode: 'disabled' | 'withdrawn'): Promise<void> {
    const nowMs = clock.nowMs();
    const document = skipAttempt(begun.document, errorCode, nowMs);
    await ledger.write({ revision: begun.revision, document, row: skipRow(begun, errorCode, nowMs) });
    onOutcome?.('skipped');
  }

  async function send(begun: Begun, attempt: AttemptToMake, lost: AbortSignal): Promise<void> {
    const made = await makeAttempt(attempt);
    const nowMs = clock.nowMs();
    const { attempt: number, eventId, webhookId, run } = begun.document;
    const randomFraction = random.fraction();
    const step = nextStep({ number, result: made.result, delaysMs, nowMs, randomFraction });
    const { document, message: next } = afterAttempt(begun.document, step, nowMs);
    const isOurs = await ledger.write({ revision: begun.revision, document, row: attemptRow(begun, made, step) });
    onAttempt?.({ eventId, webhookId, run, attempt: number, atMs: made.atMs, outcome: step.outcome });
    onOutcome?.(step.outcome);
    if (!isOurs) return; // who took it over has a message of its own to carry it on with
    await carryOn(document, next, lost);
    if (step.disables !== null) await disableGone(document, lost);
  }

  return async (received, lost) => {
    const message = readMessage(received);
    const waitMs = message.notBefore - clock.nowMs();
    if (waitMs > 0 && topics.topicFor(waitMs) !== deliveriesTopic) {
      await waits.reach(() => outlet.enqueue(message), lost);
      return;
    }
    await waits.until(message.notBefore, lost);
    const isLastTry = received.attempt >= attemptsMax;
    const taken = await waits.reach(() => take(message, isLastTry), lost);
    switch (taken.kind) {
      case 'later':
        return waits.reach(() => outlet.enqueue({ ...message, notBefore: taken.fromMs }), lost);
      case 'stale':
        return taken.next === null ? finish(message, taken.document, lost) : carryOn(taken.document, taken.next, lost);
      case 'given_up':
        return giveUp(taken.document, taken.error, lost);
      case 'begun':
        return taken.plan.kind === 'skip'
          ? skip(taken.begun, taken.plan.errorCode)
          : send(taken.begun, taken.plan.attempt, lost);
    }
  };
}
