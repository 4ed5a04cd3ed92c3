import { describe, expect, it } from 'vitest';
import { afterBurial } from '../../src/delivery/after-burial.ts';
import {
  afterAttempt,
  begin,
  type DeliveryState,
  deliveryIdOf,
  messageOf,
  newDelivery,
  skipAttempt,
} from '../../src/delivery/delivery-state.ts';
import type { NextStep } from '../../src/delivery/next-step.ts';

const nowMs = 1_000_000;
const leaseMs = 30_000;
const eventId = 'evt_EEEEEEEEEEEEEEEEEEEEE';
const webhookId = 'whk_WWWWWWWWWWWWWWWWWWWWW';
const releaseId = 'rel_RRRRRRRRRRRRRRRRRRRRR';
const { document: waiting, message: first } = newDelivery({ eventId, webhookId, releaseId, nowMs });

const ended = { errorCode: null, errorMessage: null, nextAttemptAtMs: null, disables: null };
const success: NextStep = { ...ended, outcome: 'success' };
const deadLetter: NextStep = { ...ended, outcome: 'dlq', errorCode: 'timeout', errorMessage: 'late' };
const retry: NextStep = { ...deadLetter, outcome: 'retry', nextAttemptAtMs: nowMs + 5_000 };

const sending: DeliveryState = { ...waiting, phase: 'sending', leaseUntilMs: nowMs + leaseMs };
const retrying = afterAttempt(sending, retry, nowMs).document;
const failed = afterAttempt(sending, deadLetter, nowMs).document;
const succeeded = afterAttempt(sending, success, nowMs).document;

describe('begin', () => {
  it('begins the first attempt of a delivery that has no document yet', () => {
    expect(begin(null, first, nowMs, leaseMs)).toEqual({ kind: 'begin', document: sending });
  });

  it('begins the attempt that is due', () => {
    expect(begin(waiting, first, nowMs, leaseMs)).toEqual({ kind: 'begin', document: sending });
    expect(begin(retrying, { ...first, attempt: 2 }, nowMs + 5_000, leaseMs)).toMatchObject({
      kind: 'begin',
      document: { attempt: 2, phase: 'sending', outcome: 'retry', leaseUntilMs: nowMs + 35_000 },
    });
  });

  it('leaves an attempt to the member that makes it until its lease is over', () => {
    expect(begin(sending, first, nowMs + leaseMs - 1, leaseMs)).toEqual({ kind: 'busy', untilMs: nowMs + leaseMs });
    expect(begin(sending, first, nowMs + leaseMs, leaseMs)).toMatchObject({
      kind: 'begin',
      document: { attempt: 1, leaseUntilMs: nowMs + 2 * leaseMs },
    });
  });

  it('answers a message that is behind with the one that carries the delivery on', () => {
    const next = { ...first, attempt: 2, notBefore: nowMs + 5_000 };
    expect(begin(retrying, first, nowMs, leaseMs)).toEqual({ kind: 'stale', next });
    const secondRun = { ...first, run: 2 };
    expect(begin({ ...waiting, run: 2 }, { ...first, attempt: 9 }, nowMs, leaseMs)).toEqual({
      kind: 'stale',
      next: secondRun,
    });
  });

  it('lets that message come only after the lease where the attempt is being made', () => {
    const sendingAgain = { ...sending, attempt: 2 };
    const next = { ...first, attempt: 2, notBefore: nowMs + leaseMs };
    expect(begin(sendingAgain, first, nowMs, leaseMs)).toEqual({ kind: 'stale', next });
  });

  it('has nothing more to do for a delivery that is final', () => {
    expect(begin(failed, first, nowMs, leaseMs)).toEqual({ kind: 'stale', next: null });
    expect(begin({ ...failed, attempt: 3 }, first, nowMs, leaseMs)).toEqual({ kind: 'stale', next: null });
  });

  it('believes a message whose document was lost or is behind', () => {
    const later = { ...first, run: 2, attempt: 3 };
    for (const document of [null, waiting, failed, succeeded]) {
      expect(begin(document, later, nowMs, leaseMs)).toMatchObject({
        kind: 'begin',
        document: { run: 2, attempt: 3, phase: 'sending', outcome: null, errorCode: null },
      });
    }
    expect(begin(succeeded, later, nowMs, leaseMs)).toMatchObject({ document: { hasSucceeded: true } });
    expect(begin(sending, later, nowMs, leaseMs).kind).toBe('busy');
  });
});

describe('after an attempt', () => {
  it('the delivery waits for the next one', () => {
    expect(afterAttempt(sending, retry, nowMs)).toEqual({
      document: {
        ...waiting,
        attempt: 2,
        notBeforeMs: nowMs + 5_000,
        outcome: 'retry',
        errorCode: 'timeout',
      },
      message: { ...first, attempt: 2, notBefore: nowMs + 5_000 },
    });
  });

  it.each([
    [success, { outcome: 'success', errorCode: null, hasSucceeded: true }],
    [deadLetter, { outcome: 'dlq', errorCode: 'timeout', hasSucceeded: false }],
  ])('the delivery is final', (step, expected) => {
    const { document, message } = afterAttempt(sending, step, nowMs);
    expect(document).toEqual({ ...waiting, phase: 'final', ...expected });
    expect(message).toBeNull();
  });

  it('that was never begun is a mistake', () => {
    expect(() => afterAttempt(waiting, success, nowMs)).toThrow('it is due');
    expect(() => skipAttempt(failed, 'disabled', nowMs)).toThrow('it is final');
  });

  it('that is not made any more the delivery is skipped', () => {
    expect(skipAttempt({ ...sending, attempt: 4 }, 'withdrawn', nowMs)).toEqual({
      ...waiting,
      attempt: 4,
      phase: 'final',
      outcome: 'skipped',
      errorCode: 'withdrawn',
    });
  });
});

it('has one document per event and subscription', () => {
  expect(waiting.id).toBe(deliveryIdOf(eventId, webhookId));
  expect(messageOf(waiting)).toEqual(first);
  expect(messageOf(failed)).toBeNull();
});

describe('afterBurial', () => {
  const laterMs = nowMs + 600_000;
  const once = afterBurial(null, first, laterMs);
  const twice = afterBurial(once, first, laterMs + 1);

  it('lets the delivery be missed from now on, twice', () => {
    expect(once).toEqual({ ...waiting, notBeforeMs: laterMs, burials: 1, changedAtMs: laterMs });
    expect(twice).toMatchObject({ phase: 'due', notBeforeMs: laterMs + 1, burials: 2 });
    expect(messageOf(twice)).toMatchObject({ run: 1, attempt: 1 });
  });

  it('ends it for good the third time', () => {
    const ended = afterBurial(twice, first, laterMs + 2);
    expect(ended).toMatchObject({ phase: 'final', outcome: 'dlq', errorCode: null, burials: 3 });
    expect(begin(ended, first, laterMs + 3, leaseMs)).toEqual({ kind: 'stale', next: null });
  });

  it('counts anew when the attempt could be begun after all', () => {
    const result = begin(twice, first, laterMs + 2, leaseMs);
    expect(result).toMatchObject({ kind: 'begin', document: { burials: 0 } });
  });

  it('counts each attempt by itself, and takes one that its member has lost', () => {
    expect(afterBurial(twice, { ...first, attempt: 2 }, laterMs)).toMatchObject({ attempt: 2, burials: 1 });
    expect(afterBurial(sending, first, laterMs)).toMatchObject({ phase: 'due', leaseUntilMs: null, burials: 1 });
  });
});
