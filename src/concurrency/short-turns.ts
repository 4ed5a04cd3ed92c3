import type { Clock } from '../ports/clock.ts';

/** So long other requests wait, and for the one piece of work that is begun by then. */
const busyMsMax = 5;

/**
 * For long work in short pieces: awaited between them, it lets others have a turn once that is due. Where several work at
 * once, each is asked when the one before it has gone on: woken together, all of them would begin a piece in one turn.
 */
export const createShortTurns = (clock: Clock): (() => Promise<void>) => {
  let beganMs = clock.nowMs();
  let last = Promise.resolve();
  const takeTurn = async (): Promise<void> => {
    if (clock.nowMs() - beganMs < busyMsMax) return;
    await clock.sleep(0);
    beganMs = clock.nowMs();
  };
  return () => {
    last = last.then(takeTurn);
    return last;
  };
};
