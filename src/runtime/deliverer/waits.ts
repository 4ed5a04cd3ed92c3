import { setMaxListeners } from 'node:events';
import type { Backend, BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { whenReachable } from '../resilience/when-reachable.ts';

/** How the handlers wait. The signal of a message says that it is no longer theirs. */
export interface Waits {
  /** Throws when the message was lost before its time or the deliverer closes: somebody will get it again. */
  readonly until: (dueMs: number, lost: AbortSignal) => Promise<void>;
  /** Tries again while a back end is away, so that an outage does not use up the tries that the bus gives a message. */
  readonly reach: <T>(call: () => Promise<T>, lost?: AbortSignal) => Promise<T>;
}

export function createWaits(deps: { readonly clock: Clock; readonly log: Log; readonly stopping: AbortSignal }): Waits {
  const { clock, log, stopping } = deps;
  const away = new Set<Backend>();
  // One for each signal, of which a partition has one, and not for each message: the sources of such a signal live long.
  const combined = new WeakMap<AbortSignal, AbortSignal>();

  const over = (lost: AbortSignal | undefined): AbortSignal => {
    if (lost === undefined) return stopping;
    const known = combined.get(lost);
    if (known !== undefined) return known;
    const signal = AbortSignal.any([lost, stopping]);
    setMaxListeners(0, signal); // every handler in hand may wait
    combined.set(lost, signal);
    return signal;
  };

  const tellAway = ({ backend, message }: BackendUnavailable): void => {
    if (!away.has(backend)) log.warn(`delivering waits: ${message}`);
    away.add(backend);
  };
  const tellBack = (backend: Backend): void => {
    if (away.delete(backend)) log.info(`delivering goes on: ${backend} takes its writes again`);
  };

  return {
    until: async (dueMs, lost) => {
      const signal = over(lost);
      for (let nowMs = clock.nowMs(); nowMs < dueMs; nowMs = clock.nowMs()) {
        if (signal.aborted) throw new Error('the message is given back before its time has come');
        await clock.sleep(dueMs - nowMs, signal);
      }
    },
    reach: async (call, lost) => {
      const met = new Set<Backend>();
      const onWait = (error: BackendUnavailable): void => {
        met.add(error.backend);
        tellAway(error);
      };
      const answer = await whenReachable(call, {
        clock,
        waitMs: Number.POSITIVE_INFINITY,
        onWait,
        signal: over(lost),
      });
      // Only who was kept waiting knows that it is over.
      for (const backend of met) tellBack(backend);
      return answer;
    },
  };
}
