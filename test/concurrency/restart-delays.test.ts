import { describe, expect, it } from 'vitest';
import { createRestartDelays } from '../../src/concurrency/restart-delays.ts';

describe('the delays of restarts', () => {
  const create = () => createRestartDelays({ firstMs: 10, maxMs: 50, steadyMs: 1_000 });

  it('grow twofold up to their bound while it keeps dying', () => {
    const delays = create();
    expect([0, 0, 999, 0, 0].map(delays.next)).toEqual([10, 20, 40, 50, 50]);
  });

  it('begin anew after it has served for long enough', () => {
    const delays = create();
    expect([0, 0, 1_000, 0].map(delays.next)).toEqual([10, 20, 10, 20]);
  });
});
