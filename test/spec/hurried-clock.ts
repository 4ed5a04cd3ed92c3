import { systemClock } from '../../src/adapters/system/clock.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** The system's clock, but nobody sleeps longer than this: for parts that wait before they try again. */
export const hurriedClock = (sleepMsMax = 20): Clock => ({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, sleepMsMax), signal),
});
