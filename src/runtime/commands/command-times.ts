import { toTimestamp } from '../../kernel/dates.ts';
import type { LoadedStream } from './loaded-stream.ts';

/** The moment a decision carries: never before what it was decided on, whatever the clocks of other processes say. */
export function decisionTime(nowMs: number, streams: Iterable<LoadedStream<unknown>>): string {
  let latest = toTimestamp(nowMs);
  // RFC 3339 in UTC compares as text.
  for (const { mark } of streams) if (mark.recordedAt !== null && mark.recordedAt > latest) latest = mark.recordedAt;
  return latest;
}

export const highestPosition = (streams: Iterable<LoadedStream<unknown>>): number => {
  let highest = 0;
  for (const { mark } of streams) highest = Math.max(highest, mark.position);
  return highest;
};
