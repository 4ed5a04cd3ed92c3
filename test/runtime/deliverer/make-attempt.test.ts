import { expect, it } from 'vitest';
import { createTargetGuard } from '../../../src/delivery/target-guard.ts';
import { type HttpClient, HttpFailure, type HttpRequest } from '../../../src/ports/http-client.ts';
import { createMakeAttempt } from '../../../src/runtime/deliverer/make-attempt.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';

const attempt = {
  eventId: 'evt_EEEEEEEEEEEEEEEEEEEEE',
  webhookId: 'whk_WWWWWWWWWWWWWWWWWWWWW',
  url: 'https://hooks.example.com/a?b=c',
  signingKey: new Uint8Array(32),
  body: '{}',
};
const clock = createFakeClock();
const startMs = clock.nowMs();
const targets = createTargetGuard({ resolver: { addresses: async () => ['93.184.216.34'] }, allowPrivate: false });

const attemptWith = (send: HttpClient['send'], log = createKeptLog()) =>
  createMakeAttempt({ http: { send, close: async () => {} }, targets, clock, log })(attempt);

it('goes to the addresses that were checked, within the limits of the contract', async () => {
  const sent: HttpRequest[] = [];
  const made = await attemptWith(async (request) => {
    sent.push(request);
    clock.advance(70);
    return { status: 429, headers: { 'retry-after': '7' }, body: Buffer.from('später'), truncated: false };
  });
  const { url, body } = attempt;
  const limits = { timeoutMs: 10_000, bodyBytesMax: 16_384 };
  expect(sent).toMatchObject([{ method: 'POST', url, body, connectTo: ['93.184.216.34'], ...limits }]);
  expect(sent[0]?.headers['webhook-timestamp']).toBe(String(startMs / 1_000));
  expect(made).toEqual({
    result: { kind: 'answer', status: 429, retryAfter: '7', body: 'später' },
    atMs: startMs,
    latencyMs: 70,
  });
});

it('took no time when the clock was set back meanwhile', async () => {
  const { latencyMs } = await attemptWith(async () => {
    clock.advance(-70);
    return { status: 200, headers: {}, body: new Uint8Array(), truncated: false };
  });
  expect(latencyMs).toBe(0);
});

it('tells why no answer came', async () => {
  const { result } = await attemptWith(() => Promise.reject(new HttpFailure('tls', new Error('expired'))));
  expect(result).toEqual({ kind: 'failure', reason: 'tls' });
});

it('ends as a failed attempt after a mistake of ours, and tells of it without the address', async () => {
  const log = createKeptLog();
  const { result } = await attemptWith(() => Promise.reject(new TypeError(`cannot read ${attempt.url}`)), log);
  expect(result).toEqual({ kind: 'failure', reason: 'network' });
  expect(log.lines).toMatchObject([{ level: 'error' }]);
  expect(JSON.stringify(log.lines)).not.toContain('hooks.example.com');
});
