import { setImmediate, setTimeout } from 'node:timers/promises';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';

export interface Breaker {
  /** Throws BackendUnavailable while the server is known to be away, and for a call in hand as soon as that is known. */
  readonly whileThere: <Answer>(call: (givenUp: AbortSignal) => Promise<Answer>) => Promise<Answer>;
  /** The server did not answer: until a probe succeeds nobody waits for it any more. */
  readonly trip: (cause: unknown) => void;
  /** Ends the probing and the calls in hand. */
  readonly close: () => void;
}

/** Between two probes: a server that is back is used again within this time. */
const probeEachMs = 250;

/**
 * After one call that was not answered all others are refused at once, so that a server that hangs costs one time-out and not
 * one for each request. Meanwhile it is asked again and again, by `probe`, whether it answers.
 */
export function createBreaker(probe: (givenUp: AbortSignal) => Promise<unknown>): Breaker {
  const closing = new AbortController();
  let away: { readonly cause: unknown } | null = null;
  /** Of the calls in hand. */
  const giveUps = new Set<(reason: Error) => void>();
  const giveUpAll = (reason: Error): void => {
    for (const giveUp of giveUps) giveUp(reason);
  };
  const unavailable = (cause: unknown): Error => new BackendUnavailable('OpenSearch', { cause });

  /** The first at once: what was slow alone has not gone away. */
  const probeUntilBack = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await probe(closing.signal);
        away = null;
        return;
      } catch {
        giveUpAll(unavailable(away?.cause));
      }
      await setTimeout(probeEachMs, null, { signal: closing.signal }).catch(() => undefined);
    }
  };

  return {
    whileThere: async <Answer>(call: (givenUp: AbortSignal) => Promise<Answer>) => {
      if (away !== null) {
        const { cause } = away;
        await setImmediate(); // whoever asks in a loop lets the probe come through
        throw unavailable(cause);
      }
      return new Promise<Answer>((resolve, reject) => {
        const ending = new AbortController();
        const giveUp = (reason: Error): void => {
          reject(reason);
          ending.abort();
        };
        giveUps.add(giveUp);
        void call(ending.signal)
          .then(resolve, reject)
          .finally(() => giveUps.delete(giveUp));
      });
    },
    trip: (cause) => {
      if (away !== null) return;
      away = { cause };
      void probeUntilBack();
    },
    close: () => {
      closing.abort();
      giveUpAll(unavailable(new Error('the connection was closed')));
    },
  };
}
