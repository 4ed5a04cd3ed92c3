import { createMutex } from '../../../concurrency/mutex.ts';
import type { Clock } from '../../../ports/clock.ts';

export interface TurnsBesideReadersDeps {
  readonly clock: Clock;
  /** Changes with every request that the process answers. */
  readonly requests: () => number;
  /** Whether the read models have passed the position, by the end of that time at the latest. */
  readonly hasPassed: (position: number, timeoutMs: number) => Promise<boolean>;
}

/** Runs pieces of a purge, each of which tells the position of what it has stored. */
export type InTurn = <Result extends { readonly position: number }>(piece: () => Promise<Result>) => Promise<Result>;

/** So long after a request another one is reckoned with: who reads page by page is answered quickly all the way through. */
const askedMs = 250;

/** A projector that is away, or stands still, keeps a purge no longer than this. */
const passedMsMax = 250;

/**
 * For each millisecond of work, so many in which readers have the machine to themselves. On two cores with two readers who never
 * pause, p95 of a feed is 2.8 times as long beside a purge without turns, 1.9 with turns and rests of 1, 1.5 with 2.
 */
const restShare = 2;
const restMsMax = 200;

/** What was stored is stored: that nobody can tell how far its readers are is told by those who need to know. */
const isNobodyToWaitFor = (): boolean => false;

/**
 * As fast as it can a purge keeps several cores busy: threads that decide, store, and follow what was stored. While requests
 * are answered its pieces are done one at a time, each when the read models have passed the one before, with a rest
 * between: so it never takes more than about one core, and two thirds of the time none. A lower priority does not do instead:
 * projector and writers cannot have it, as others wait for what they do, and one thread of the same priority as that which
 * answers makes p95 three times as long.
 */
export function createTurnsBesideReaders({ clock, requests, hasPassed }: TurnsBesideReadersDeps): InTurn {
  const turns = createMutex();
  let requestsSeen = requests();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the last wait was in vain: then it is looked at once, until somebody feeds the read models again. */
  let isStuck = false;

  const isAsked = (): boolean => {
    const [nowMs, requestsNow] = [clock.nowMs(), requests()];
    if (requestsNow !== requestsSeen) askedAtMs = nowMs;
    requestsSeen = requestsNow;
    return Math.abs(nowMs - askedAtMs) < askedMs; // a clock that is set back must not keep it slow for hours
  };

  return (piece) => {
    if (!isAsked()) return piece();
    return turns.run(async () => {
      const begunMs = clock.nowMs();
      const done = await piece();
      isStuck = !(await hasPassed(done.position, isStuck ? 0 : passedMsMax).catch(isNobodyToWaitFor));
      if (isAsked()) {
        const workedMs = Math.max(0, clock.nowMs() - begunMs);
        await clock.sleep(Math.min(restMsMax, workedMs * restShare));
      }
      return done;
    });
  };
}
