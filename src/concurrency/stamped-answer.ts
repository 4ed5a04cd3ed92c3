import type { Clock } from '../ports/clock.ts';

export interface StampedAnswerOptions {
  readonly clock: Clock;
  /** Changes when this process has done what the next answer must tell of. */
  readonly stamp: () => number;
  /** An answer is so old before it is asked for again. */
  readonly keptMs: number;
  /**
   * How late it may be noticed what others do. Until then nobody waits: who asks gets the answer that is there while the next
   * one is made. As `keptMs` when absent.
   */
  readonly lateMs?: number;
}

export interface StampedAnswer<Answer> {
  readonly get: () => Promise<Answer>;
  /** The next one who asks gets an answer that was not begun before. */
  readonly forget: () => void;
}

interface Asked<Answer> {
  readonly answer: Promise<Answer>;
  readonly stamp: number;
  readonly askedMs: number;
  /** Whether the answer has come. */
  isThere: boolean;
}

/** An answer is good while the stamp stands, for a short time: to learn that nothing changed costs one look. */
export function createStampedAnswer<Answer>(
  { clock, stamp, keptMs, lateMs = keptMs }: StampedAnswerOptions,
  ask: () => Promise<Answer>,
): StampedAnswer<Answer> {
  let kept: Asked<Answer> | null = null;
  let renewed: Asked<Answer> | null = null; // whose successor is being made

  /** The stamp first: what changes while the answer is made is asked about again. */
  function begin(): Asked<Answer> {
    const asked: Asked<Answer> = { stamp: stamp(), askedMs: clock.nowMs(), answer: ask(), isThere: false };
    asked.answer.then(
      () => {
        asked.isThere = true;
      },
      () => {
        if (kept === asked) kept = null; // who waits for it is told; the next one tries again
      },
    );
    return asked;
  }

  function renewBehind(old: Asked<Answer>): void {
    if (renewed === old) return;
    renewed = old;
    const next = begin();
    const replaceBy = (answer: Asked<Answer> | null): void => {
      if (renewed === old) renewed = null;
      if (kept === old) kept = answer; // else it was forgotten meanwhile, or somebody did not wait for this one
    };
    next.answer.then(
      () => replaceBy(next),
      () => replaceBy(null),
    );
  }

  /** A clock that was set back makes it neither young nor good. */
  const isYounger = ({ askedMs }: Asked<Answer>, nowMs: number, limitMs: number): boolean =>
    nowMs >= askedMs && nowMs - askedMs < limitMs;

  return {
    get: () => {
      const nowMs = clock.nowMs();
      if (kept !== null && kept.stamp === stamp()) {
        if (isYounger(kept, nowMs, keptMs)) return kept.answer;
        if (isYounger(kept, nowMs, lateMs)) {
          if (kept.isThere) renewBehind(kept); // else it is waited for: one begun now would come later still
          return kept.answer;
        }
      }
      kept = begin();
      return kept.answer;
    },
    forget: () => {
      kept = null;
    },
  };
}
