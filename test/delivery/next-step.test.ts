import { describe, expect, it } from 'vitest';
import { type Attempt, type AttemptResult, nextStep } from '../../src/delivery/next-step.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
// Contract 13.7.
const delaysMs = [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour] as const;
const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);

const answer = (status: number, retryAfter: string | null = null): AttemptResult => ({
  kind: 'answer',
  status,
  retryAfter,
});
const after = (result: AttemptResult, rest: Partial<Attempt> = {}) =>
  nextStep({ number: 1, result, delaysMs, nowMs, randomFraction: 0.5, ...rest });
const waitAfter = (result: AttemptResult, rest: Partial<Attempt> = {}) =>
  (after(result, rest).nextAttemptAtMs ?? Number.NaN) - nowMs;

const ended = { nextAttemptAtMs: null, disables: null };

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('%i is success', (status) => {
    expect(after(answer(status))).toEqual({ ...ended, outcome: 'success', errorCode: null, errorMessage: null });
  });

  it.each([408, 425, 429])('%i is tried again', (status) => {
    expect(after(answer(status))).toMatchObject({ outcome: 'retry', errorCode: 'subscriber_4xx', disables: null });
  });

  it.each([500, 501, 502, 503, 504, 599])('%i is tried again', (status) => {
    expect(after(answer(status))).toMatchObject({ outcome: 'retry', errorCode: 'subscriber_5xx', disables: null });
  });

  it.each([300, 301, 302, 303, 304, 307, 308, 399])('%i is not followed and fails for good', (status) => {
    expect(after(answer(status))).toMatchObject({ ...ended, outcome: 'perm_fail', errorCode: 'subscriber_3xx' });
  });

  it.each([400, 401, 403, 404, 405, 409, 413, 422, 424, 426, 451, 499])('%i fails for good', (status) => {
    expect(after(answer(status))).toMatchObject({ ...ended, outcome: 'perm_fail', errorCode: 'subscriber_4xx' });
  });

  it('410 fails for good and disables the subscription', () => {
    expect(after(answer(410))).toMatchObject({ outcome: 'perm_fail', errorCode: 'gone', disables: 'gone' });
  });

  it.each([101, 600, 999])('%i is no answer of HTTP and is tried again', (status) => {
    expect(after(answer(status))).toMatchObject({ outcome: 'retry', errorCode: 'network' });
  });
});

describe('no answer', () => {
  it.each(['timeout', 'dns', 'tls', 'network'] as const)('by %s is tried again', (reason) => {
    expect(after({ kind: 'failure', reason })).toMatchObject({ outcome: 'retry', errorCode: reason, disables: null });
  });

  it('because the address is blocked fails for good', () => {
    expect(after({ kind: 'blocked' })).toMatchObject({ ...ended, outcome: 'perm_fail', errorCode: 'ssrf_blocked' });
  });
});

describe('the schedule', () => {
  it.each(delaysMs.map((delayMs, index) => [index + 1, delayMs] as const))(
    'after attempt %i waits %i ms in tier %i, give or take a fifth',
    (number, delayMs) => {
      expect(waitAfter(answer(500), { number, randomFraction: 0 })).toBe(0.8 * delayMs);
      expect(waitAfter(answer(500), { number, randomFraction: 0.5 })).toBe(delayMs);
      const most = waitAfter(answer(500), { number, randomFraction: 1 - Number.EPSILON });
      expect(most).toBeGreaterThan(1.19 * delayMs);
      expect(most).toBeLessThanOrEqual(1.2 * delayMs);
    },
  );

  it('lasts 31 h 35 min 35 s in all', () => {
    const waited = delaysMs.map((_, index) => waitAfter(answer(500), { number: index + 1 }));
    expect(waited.reduce((sum, ms) => sum + ms, 0)).toBe(31 * hour + 35 * minute + 35 * second);
  });

  it.each([9, 10])('ends in the dead letters with attempt %i', (number) => {
    expect(after(answer(503, '5'), { number })).toMatchObject({
      ...ended,
      outcome: 'dlq',
      errorCode: 'subscriber_5xx',
    });
    expect(after({ kind: 'failure', reason: 'dns' }, { number })).toMatchObject({ outcome: 'dlq', errorCode: 'dns' });
  });

  it('does not turn a permanent failure of the last attempt into a dead letter', () => {
    expect(after(answer(404), { number: 9 }).outcome).toBe('perm_fail');
    expect(after(answer(204), { number: 9 }).outcome).toBe('success');
  });

  it('is the list that is given', () => {
    expect(after(answer(500), { delaysMs: [] }).outcome).toBe('dlq');
    expect(after(answer(500), { number: 2, delaysMs: [1, 2] }).outcome).toBe('retry');
  });
});

describe('Retry-After', () => {
  const at = { number: 2, randomFraction: 0 }; // the delay is 30 s; jitter would take 6 s off

  it.each([429, 503])('is followed on %i, without jitter', (status) => {
    expect(waitAfter(answer(status, '45'), at)).toBe(45 * second);
  });

  it.each([
    ['0', 30],
    ['29', 30],
    ['30', 30],
    ['60', 60],
    ['61', 60],
    ['9'.repeat(400), 60],
    [' 45 ', 45],
    ['Fri, 02 Jan 2026 03:04:50 GMT', 45],
    ['Friday, 02-Jan-26 03:04:50 GMT', 45],
    ['Fri Jan  2 03:04:50 2026', 45],
    ['Fri, 02 Jan 2026 03:04:00 GMT', 30],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30],
    ['Fri, 02 Jan 2099 00:00:00 GMT', 60],
  ])('"%s" waits %i s', (header, seconds) => {
    expect(waitAfter(answer(429, header), at)).toBe(seconds * second);
  });

  it.each(['', 'soon', '-5', '1.5', '45s', '2026-01-02T03:04:50Z', 'Fri, 31 Feb 2026 03:04:50 GMT', '45, 50'])(
    'that says nothing usable is passed over: "%s"',
    (header) => {
      expect(waitAfter(answer(429, header), at)).toBe(24 * second);
    },
  );

  it.each([408, 425, 500, 502, 504])('is passed over on %i', (status) => {
    expect(waitAfter(answer(status, '45'), at)).toBe(24 * second);
  });
});

describe('the error message', () => {
  const messageFor = (body: string) => after({ kind: 'answer', status: 500, retryAfter: null, body }).errorMessage;

  it('is what the receiver said, in one line', () => {
    expect(messageFor('  Out of\r\n\tanvils\u0000\u0007 \ud83d today 🚀\n')).toBe('Out of anvils today 🚀');
  });

  it('keeps 200 characters and splits none', () => {
    expect(messageFor('x'.repeat(16_384))).toBe('x'.repeat(200));
    expect(messageFor(`${'x'.repeat(199)}🚀`)).toBe('x'.repeat(199));
  });

  it('is a sentence when the receiver said nothing', () => {
    expect(messageFor(' \n')).toBe('The receiver answered 500.');
    expect(after({ kind: 'failure', reason: 'timeout' }).errorMessage).toBe('The receiver did not answer in time.');
    expect(after({ kind: 'blocked' }).errorMessage).toBe('The address of the receiver is not allowed.');
  });

  it('is absent on success, whatever the receiver said', () => {
    expect(after({ kind: 'answer', status: 200, retryAfter: null, body: 'ok' }).errorMessage).toBeNull();
  });
});
