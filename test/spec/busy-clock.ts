import type { Clock } from '../../src/ports/clock.ts';
import { createFakeClock } from './fake-clock.ts';

/** A clock on which everything takes long, and that counts how often others had a turn. */
export const createBusyClock = (): Clock & { readonly turns: () => number } => {
  const clock = createFakeClock();
  let turns = 0;
  return {
    nowMs: () => {
      clock.advance(6);
      return clock.nowMs();
    },
    sleep: async () => void (turns += 1),
    turns: () => turns,
  };
};
