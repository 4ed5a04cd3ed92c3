import type { Answer } from '../../route.ts';

const secondMs = 1_000;
/** A change shows only some time after its own date: so long, and a date has all the changes of its second. */
const showsWithinMs = 1_000;

export interface DatedFeed {
  /** Of its newest entry. */
  readonly updatedMs: number;
  /** When it last became another one without an entry that says so. */
  readonly changedMs: number;
  /** Before it was read. */
  readonly nowMs: number;
}

/**
 * Dates have whole seconds. What was made of a feed before all of its last second shows may be followed by another text of
 * the same second (RFC 9110, 8.8.2.2), so its date is not told yet: the second before it is, which no later text has.
 * A date ahead of our own clock is none to tell either (8.8.2.1).
 */
export const feedDate = ({
  updatedMs,
  changedMs,
  nowMs,
}: DatedFeed): Required<Pick<Answer, 'lastModified'>> & Pick<Answer, 'keptMsMax'> => {
  const beginMs = Math.floor(Math.min(updatedMs, nowMs) / secondMs) * secondMs;
  const endMs = beginMs + secondMs;
  const untoldMs = endMs + showsWithinMs - nowMs;
  if (untoldMs > 0) return { lastModified: { atMs: beginMs - secondMs, isProof: false }, keptMsMax: untoldMs };
  return { lastModified: { atMs: beginMs, isProof: changedMs < endMs } };
};
