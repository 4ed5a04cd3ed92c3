import { roughBytes } from '../../kernel/rough-bytes.ts';
import type { StreamAppend } from '../../ports/event-store.ts';

/** Of the events in one call: to encode them and hand them over holds up others for some ten milliseconds. */
const bytesAtOnceMax = 1_000_000;

/** In the same order, as many together as may be handed over at once. */
export function appendTurns(appends: readonly StreamAppend[]): StreamAppend[][] {
  const turns: StreamAppend[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const append of appends) {
    const own = roughBytes(append.events);
    if (bytes + own > bytesAtOnceMax) {
      turns.push([]);
      bytes = 0;
    }
    turns.at(-1)!.push(append);
    bytes += own;
  }
  return turns;
}
