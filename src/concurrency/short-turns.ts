import type { Clock } from '../ports/clock.ts';

/** So long other requests wait, and for the one piece of work that is begun by then. */
const busyMsMax = 5;

/** For long work in short pieces: awaited after each of them, it lets others have a turn once that is due. */
export const createShortTurns = (clock: Clock): (() => Promise<void>) => {
  let beganMs = clock.nowMs();
  return async () => {
    if (clock.nowMs() - beganMs < busyMsMax) return;
    await clock.sleep(0);
    beganMs = clock.nowMs();
  };
};
