import type { Clock } from '../ports/clock.ts';

export interface StampedAnswerOptions {
  readonly clock: Clock;
  /** Changes with everything that this process does to what is asked about. */
  readonly stamp: () => number;
  /** How late it may be noticed what others do. */
  readonly keptMs: number;
}

export interface StampedAnswer<Answer> {
  readonly get: () => Promise<Answer>;
  /** The next one who asks gets an answer that was not begun before. */
  readonly forget: () => void;
}

/** An answer is good while the stamp stands, for a short time: to learn that nothing changed costs one look. */
export function createStampedAnswer<Answer>(
  { clock, stamp, keptMs }: StampedAnswerOptions,
  ask: () => Promise<Answer>,
): StampedAnswer<Answer> {
  let kept: { readonly answer: Promise<Answer>; readonly stamp: number; readonly askedMs: number } | null = null;

  const isGood = (nowMs: number): boolean => {
    if (kept === null || kept.stamp !== stamp()) return false;
    const ageMs = nowMs - kept.askedMs;
    return ageMs >= 0 && ageMs < keptMs; // a clock that was set back makes it neither young nor good
  };

  return {
    get: () => {
      const nowMs = clock.nowMs();
      if (kept !== null && isGood(nowMs)) return kept.answer;
      // The stamp first: what changes while the answer is made is asked about again.
      const asked = { stamp: stamp(), askedMs: nowMs, answer: ask() };
      kept = asked;
      asked.answer.catch(() => {
        if (kept === asked) kept = null; // who waits for it is told; the next one tries again
      });
      return asked.answer;
    },
    forget: () => {
      kept = null;
    },
  };
}
