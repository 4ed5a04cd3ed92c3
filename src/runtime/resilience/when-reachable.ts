import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';

const retryMs = 500;

export interface Waiting {
  readonly clock: Clock;
  readonly waitMs: number;
  readonly onWait?: ((error: BackendUnavailable) => void) | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Tries again while a back end cannot be reached, until the time is over; then it throws what the last try threw. */
export async function whenReachable<T>(attempt: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { clock, waitMs, onWait, signal } = waiting;
  const endMs = clock.nowMs() + waitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof BackendUnavailable) || clock.nowMs() >= endMs || signal?.aborted) throw error;
      onWait?.(error);
      await clock.sleep(Math.min(retryMs, Math.max(0, endMs - clock.nowMs())), signal);
    }
  }
}
