import { constants } from 'node:os';
import { systemClock } from '../adapters/system/clock.ts';

/** A terminal and npm both pass on one Ctrl-C. */
const sameMs = 500;

/** Aborted by the first SIGTERM or SIGINT. A second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  let firstMs: number | undefined;
  const stop = (name: 'SIGTERM' | 'SIGINT') => {
    const nowMs = systemClock.nowMs();
    firstMs ??= nowMs;
    if (!stopping.signal.aborted) stopping.abort();
    else if (nowMs - firstMs > sameMs) process.exit(128 + constants.signals[name]);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return stopping.signal;
}
