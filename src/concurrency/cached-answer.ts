import type { Clock } from '../ports/clock.ts';

/** Many who ask at about the same time share one answer, good or bad; it is asked for again when it is older than that. */
export function createCachedAnswer<Answer>(
  clock: Clock,
  keptMs: number,
  ask: () => Promise<Answer>,
): () => Promise<Answer> {
  let kept: { readonly answer: Promise<Answer>; untilMs: number } | null = null;
  return () => {
    if (kept !== null && clock.nowMs() < kept.untilMs) return kept.answer;
    const asked = { answer: ask(), untilMs: Number.POSITIVE_INFINITY };
    const date = () => {
      asked.untilMs = clock.nowMs() + keptMs;
    };
    asked.answer.then(date, date);
    kept = asked;
    return asked.answer;
  };
}
