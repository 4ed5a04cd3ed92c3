import { describe, expect, it } from 'vitest';
import { nextStep } from '../../src/delivery/next-step.ts';
import { retryDelays } from '../../src/delivery/retry-delays.ts';
import { tierHoldMs, tierOf } from '../../src/delivery/tier-of.ts';
import { retryHoldsMs } from '../../src/delivery/topics.ts';

it('lets the topic of a retry be consumed as early as jitter of 20 % allows', () => {
  const holdsMs = retryHoldsMs(retryDelays(['5s', '2h']));
  expect([...holdsMs]).toEqual([
    ['webhooks.retry.5s', 4_000],
    ['webhooks.retry.2h', 5_760_000],
  ]);
});

const delaysMs = [5_000, 30_000, 300_000, 1_800_000];

describe('the tier for a waiting time', () => {
  it.each([
    [0, null],
    [3_999, null],
    [4_000, 0],
    [23_999, 0],
    [24_000, 1],
    [70_000, 1],
    [240_000, 2],
    [1_440_000, 3],
    [1e12, 3],
  ])('of %i ms is %s', (waitMs, tier) => {
    expect(tierOf(waitMs, delaysMs)).toBe(tier);
  });

  it('holds no message beyond its time', () => {
    for (let waitMs = 4_000; waitMs < 3_000_000; waitMs += 997) {
      expect(tierHoldMs(delaysMs[tierOf(waitMs, delaysMs) ?? -1] ?? Number.NaN)).toBeLessThanOrEqual(waitMs);
    }
  });

  it('does not depend on the order of the tiers', () => {
    expect(tierOf(70_000, [300_000, 30_000, 5_000])).toBe(1);
  });

  it('is none where there are none', () => {
    expect(tierOf(70_000, [])).toBeNull();
  });

  it('is at least that of the retry, however short jitter made the wait', () => {
    const result = { kind: 'failure', reason: 'network' } as const;
    for (const odd of [
      [1, 7, 33],
      [5_001, 30_003],
    ]) {
      for (const [tier] of odd.entries()) {
        const step = nextStep({ number: tier + 1, result, delaysMs: odd, nowMs: 0, randomFraction: 0 });
        expect(tierOf(step.nextAttemptAtMs ?? -1, odd)).toBeGreaterThanOrEqual(tier);
      }
    }
  });
});
