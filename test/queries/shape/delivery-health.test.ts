import { describe, expect, it } from 'vitest';
import { deliveryHealth } from '../../../queries/shape/delivery-health.ts';

const on = { enabled: true, disabledReason: null };
const untried = { consecutiveFailures: 0, lastSuccessAtMs: null, lastFailureAtMs: null, lastError: null };
const failed = (consecutiveFailures: number) => ({
  consecutiveFailures,
  lastSuccessAtMs: 1_000,
  lastFailureAtMs: 2_000,
  lastError: 'no answer',
});

describe('delivery health', () => {
  it('tells times and the last error as they are', () => {
    expect(deliveryHealth(on, failed(1))).toMatchObject({
      consecutiveFailures: 1,
      lastSuccessAt: '1970-01-01T00:00:01.000Z',
      lastFailureAt: '1970-01-01T00:00:02.000Z',
      lastError: 'no answer',
    });
    expect(deliveryHealth(on, untried)).toMatchObject({ lastSuccessAt: null, lastFailureAt: null, lastError: null });
  });

  it.each([
    [0, 'healthy'],
    [1, 'degraded'],
    [4, 'degraded'],
    [5, 'failing'],
    [50, 'failing'],
  ])('after %i failed attempts it is %s', (failures, health) => {
    expect(deliveryHealth(on, failed(failures)).deliveryHealth).toBe(health);
  });

  it.each(['manual', 'auto', 'gone'] as const)('is paused when disabled (%s), however it fared', (disabledReason) => {
    const off = { enabled: false, disabledReason };
    for (const failures of [0, 7]) {
      expect(deliveryHealth(off, failed(failures)).deliveryHealth).toBe('paused');
    }
  });

  it('is summed up in one sentence for each case', () => {
    const summaries = [
      deliveryHealth(on, untried),
      deliveryHealth(on, failed(0)),
      deliveryHealth(on, failed(1)),
      deliveryHealth(on, failed(2)),
      deliveryHealth(on, failed(5)),
      ...(['manual', 'auto', 'gone'] as const).map((disabledReason) =>
        deliveryHealth({ enabled: false, disabledReason }, untried),
      ),
    ].map(({ deliveryHealthSummary }) => deliveryHealthSummary);
    expect(new Set(summaries).size).toBe(summaries.length);
    for (const sentence of summaries) expect(sentence).toMatch(/^[A-Z][^.]+\.$/);
  });
});
