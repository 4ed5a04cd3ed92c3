import { createTurns, type Turns } from '../concurrency/turns.ts';
import type { Clock } from '../ports/clock.ts';
import { FetchFailed } from './fetch-failed.ts';

export interface HostTurns {
  /** Waits for a turn at the host of the address. Throws FetchFailed when none comes before the deadline. */
  readonly run: <Result>(url: string, deadlineMs: number, work: () => Promise<Result>) => Promise<Result>;
}

/** Who is there has had its time by then. */
const againMs = 60_000;

/** Lets so many requests of this process be at one host at once, 0 any number; hosts do not wait for each other. */
export function createHostTurns(clock: Clock, perHostMax: number): HostTurns {
  /** Only of hosts that somebody is at or waits for. */
  const hosts = new Map<string, { readonly turns: Turns; users: number }>();

  return {
    run: async (url, deadlineMs, work) => {
      if (perHostMax === 0) return work();
      const { host } = new URL(url);
      const known = hosts.get(host) ?? { turns: createTurns(clock, perHostMax), users: 0 };
      hosts.set(host, known);
      known.users += 1;
      try {
        const withinMs = Math.max(0, deadlineMs - clock.nowMs());
        const done = await known.turns.run(withinMs, async () => ({ result: await work() }));
        if (done === null) {
          // Nobody was asked: it says nothing about whoever would have been.
          const sentence = 'No turn at its host came in time.';
          throw new FetchFailed('limited', null, { retryAfterMs: againMs, sentence });
        }
        return done.result;
      } finally {
        known.users -= 1;
        if (known.users === 0) hosts.delete(host);
      }
    },
  };
}
