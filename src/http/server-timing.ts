import type { Stopwatch } from '../ports/stopwatch.ts';

type Phase = 'auth' | 'wait' | 'query' | 'present';

/** Where the time of a request went. */
export interface ServerTiming {
  /** Returns what ends it. */
  readonly begin: (phase: Phase) => () => void;
  /** As the header `Server-Timing` has it; null when nobody asked. */
  readonly text: () => string | null;
}

const endNothing = (): void => {};
const unasked: ServerTiming = { begin: () => endNothing, text: () => null };

/** Asked for with `X-Service-Timing: 1`. */
export function createServerTiming(asked: string, stopwatch: Stopwatch): ServerTiming {
  if (asked !== '1') return unasked;
  const spentMs = new Map<Phase, number>();
  return {
    begin: (phase) => {
      const startedMs = stopwatch();
      return () => void spentMs.set(phase, (spentMs.get(phase) ?? 0) + stopwatch() - startedMs);
    },
    text: () => [...spentMs].map(([phase, ms]) => `${phase};dur=${ms.toFixed(2)}`).join(', '),
  };
}
