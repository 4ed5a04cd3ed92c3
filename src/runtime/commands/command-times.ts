import { toTimestamp } from '../../kernel/dates.ts';
import type { StreamSlice } from '../../ports/event-store.ts';

/** The moment a decision carries: never before what it was decided on, whatever the clocks of other processes say. */
export function decisionTime(nowMs: number, slices: Iterable<StreamSlice>): string {
  let latest = toTimestamp(nowMs);
  for (const slice of slices) {
    // Times within a stream never go back, so its last event is its latest. RFC 3339 in UTC compares as text.
    const last = slice.events.at(-1)?.metadata.recordedAt;
    if (last !== undefined && last > latest) latest = last;
  }
  return latest;
}

export const highestPosition = (slices: Iterable<StreamSlice>): number => {
  let highest = 0;
  for (const slice of slices) highest = Math.max(highest, slice.events.at(-1)?.position ?? 0);
  return highest;
};
