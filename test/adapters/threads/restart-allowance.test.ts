import { expect, it } from 'vitest';
import { createRestartAllowance } from '../../../src/adapters/threads/restart-allowance.ts';

it('allows so many restarts in a window, and more once the oldest has left it', () => {
  const restarts = createRestartAllowance(2, 1000);
  expect([0, 500, 999].map(restarts.take)).toEqual([true, true, false]);
  expect([1000, 1001, 1500].map(restarts.take)).toEqual([true, false, true]);
});
