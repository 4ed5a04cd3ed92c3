import { expect, it } from 'vitest';
import { quietPaceMs } from '../../src/concurrency/quiet-pace.ts';

it('slows down with the time that nothing has happened, between its bounds', () => {
  const paces = [0, 100, 400, 800, 1_600, 60_000].map((quietMs) => quietPaceMs(quietMs, 25, 200));
  expect(paces).toEqual([25, 25, 50, 100, 200, 200]);
});
