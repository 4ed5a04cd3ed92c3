import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/http/middleware/rate-limit.ts';
import type { Caller } from '../../../src/http/caller.ts';
import type { CountsByPolicy } from '../../../src/records/request-counts.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';

const nobody: Caller = { kind: 'anonymous', invalidCredential: false };
const token: Caller = { kind: 'token', tokenId: 'tok_a', name: 'a', scopes: ['read'], expiresAt: null };
const secretKey = new Uint8Array(32).fill(7);

const requestFrom = (remoteAddress: string, url = '/v1/orgs') => ({
  method: 'GET',
  url,
  headers: {},
  socket: { remoteAddress },
});

/** What it would tell other processes is kept; half a second passes when a test says so. */
function startLimiter(key: Uint8Array = secretKey) {
  const told: CountsByPolicy[] = [];
  const timers: (() => void)[] = [];
  const clock = createFakeClock();
  const limiter = createRateLimiter({
    limits: { anonymous: 3, account: 3, token: 3 },
    trustedProxies: [],
    isCounted: (path) => path !== '/health',
    secretKey: key,
    requestCounts: {
      exchange: async (counts) => {
        told.push(counts);
        return [];
      },
      look: async () => [],
    },
    clock,
    runLater: (_, run) => void timers.push(run),
    log: createKeptLog(),
  });
  const tellNow = async () => {
    timers.splice(0).forEach((run) => run());
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return told.splice(0);
  };
  return { ...limiter, clock, tellNow };
}

describe('what a process tells others', () => {
  it('is what it let in, and not what it refused', async () => {
    const { count, tellNow } = startLimiter();
    for (let turn = 0; turn < 10; turn += 1) count(nobody, requestFrom('198.51.100.1'));
    for (let turn = 0; turn < 2; turn += 1) count(token, requestFrom('198.51.100.1'));
    const [counts] = await tellNow();
    expect(counts?.['anonymous']?.map(([, many]) => many)).toEqual([3]);
    expect(counts?.['token']?.map(([, many]) => many)).toEqual([2]);
    for (let turn = 0; turn < 10; turn += 1) count(nobody, requestFrom('198.51.100.1'));
    expect(await tellNow()).toEqual([]);
  });

  it('names a client by the same number in every process, and by another one beside another key', async () => {
    const numberOf = async (key: Uint8Array): Promise<number | undefined> => {
      const { count, tellNow } = startLimiter(key);
      count(nobody, requestFrom('198.51.100.1'));
      return (await tellNow())[0]?.['anonymous']?.[0]?.[0];
    };
    const number = await numberOf(secretKey);
    expect(number).toBeGreaterThanOrEqual(0);
    expect(await numberOf(secretKey)).toBe(number);
    expect(await numberOf(new Uint8Array(32).fill(8))).not.toBe(number);
  });

  it('is nothing where nothing is counted', async () => {
    const { count, tellNow } = startLimiter();
    expect(count(nobody, requestFrom('198.51.100.1', '/health?x'))).toBeNull();
    expect(count({ kind: 'root' }, requestFrom('198.51.100.1'))).toBeNull();
    expect(await tellNow()).toEqual([]);
  });
});

describe('a refused client', () => {
  it('is let in again when the time that it was told is over', () => {
    const { count, clock } = startLimiter();
    const ask = () => count(nobody, requestFrom('198.51.100.1'))?.refusal ?? null;
    expect([ask(), ask(), ask()]).toEqual([null, null, null]);
    clock.advance(10_000);
    const refusal = ask();
    expect(refusal).toEqual({ policy: 'anonymous', retryAfterSeconds: 50 });
    clock.advance(49_000);
    expect(ask()).toEqual({ policy: 'anonymous', retryAfterSeconds: 1 });
    clock.advance(1_000);
    expect(ask()).toBeNull();
  });
});
