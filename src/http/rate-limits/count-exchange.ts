import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { RunLater } from '../../ports/run-later.ts';
import type { CountsByPolicy, HeardCounts, RequestCounts } from '../../records/request-counts.ts';

export interface CountExchange {
  /** A request of this client was let in here. */
  readonly note: (policy: string, client: number) => void;
  /** Whether nobody has asked lately what the other processes counted. */
  readonly isBehind: () => boolean;
  /** To be called when it is behind. Resolves when it is so no more, or after a bounded time; null when nobody need wait. */
  readonly catchUp: () => Promise<void> | null;
  /** Resolves when nothing is written or read any more. */
  readonly close: () => Promise<void>;
}

/** Contract 17: a limit may be overshot by what arrives in one interval. */
const everyMs = 500;
/** A look takes a few milliseconds. Whoever meets a store that is slow or away is decided without it. */
const lookWaitMsMax = 250;
/** What is told at once; those with most requests go first, the others wait for the next time. */
const clientsToldMax = 1_000;
/** Of more clients than this, which is more than are answered in an interval, the other processes do not hear. */
const clientsWaitingMax = 20_000;

/**
 * Tells other processes what was counted here, and hears what they counted; while nothing is counted, neither. So the first
 * request after a pause waits until it is known what was counted elsewhere in the meantime.
 */
export function createCountExchange(deps: {
  readonly requestCounts: RequestCounts;
  readonly clock: Clock;
  readonly runLater: RunLater;
  readonly onHeard: (heard: HeardCounts) => void;
  readonly log: Log;
}): CountExchange {
  const { requestCounts, clock, runLater, onHeard, log } = deps;
  const waiting = new Map<string, Map<number, number>>();
  let clientsWaiting = 0;
  let isClosed = false;
  /** Until it is done. */
  let isPlanned = false;
  let isLooking = false;
  let hasFailed = false;
  /** When the other processes were last asked. */
  let askedMs: number | null = null;
  let lookWaitedFor: Promise<void> | null = null;
  let running = Promise.resolve();

  function takeWaiting(): CountsByPolicy {
    const all = [...waiting].flatMap(([policy, clients]) =>
      [...clients].map(([client, count]) => ({ policy, client, count })),
    );
    const told = all.length <= clientsToldMax ? all : all.sort((a, b) => b.count - a.count).slice(0, clientsToldMax);
    for (const { policy, client } of told) waiting.get(policy)!.delete(client);
    clientsWaiting = all.length - told.length;
    const policies = [...new Set(told.map(({ policy }) => policy))];
    return Object.fromEntries(
      policies.map((name) => [
        name,
        told.filter(({ policy }) => policy === name).map(({ client, count }) => [client, count] as const),
      ]),
    );
  }

  async function hear(ask: () => Promise<HeardCounts[]>): Promise<void> {
    askedMs = clock.nowMs();
    try {
      for (const heard of await ask()) onHeard(heard);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn('requests are counted by each process alone: the counts were not exchanged', { error });
      hasFailed = true;
    }
  }

  /** What could not be told is not told later: it may have been, and nothing may be counted twice. */
  async function exchange(): Promise<void> {
    await hear(() => requestCounts.exchange(takeWaiting()));
    isPlanned = false;
    if (clientsWaiting > 0) plan();
  }

  async function look(): Promise<void> {
    await hear(() => requestCounts.look());
    isLooking = false;
  }

  /** As long as an interval when it is longer ago, or when the clock was set back, and says nothing about it. */
  const sinceAskedMs = (): number => {
    const passedMs = askedMs === null ? everyMs : clock.nowMs() - askedMs;
    return passedMs < 0 ? everyMs : Math.min(passedMs, everyMs);
  };

  function plan(): void {
    if (isPlanned || isClosed) return;
    isPlanned = true;
    const sinceMs = sinceAskedMs();
    runLater(sinceMs === everyMs ? everyMs : everyMs - sinceMs, () => {
      if (!isClosed) running = running.then(exchange);
    });
  }

  return {
    note: (policy, client) => {
      let clients = waiting.get(policy);
      if (clients === undefined) waiting.set(policy, (clients = new Map<number, number>()));
      const known = clients.get(client);
      if (known === undefined) {
        if (clientsWaiting >= clientsWaitingMax) return;
        clientsWaiting += 1;
      }
      clients.set(client, (known ?? 0) + 1);
      plan();
    },
    // Where it is planned, they are asked twice a second.
    isBehind: () => !isPlanned && !isClosed && (isLooking || sinceAskedMs() >= everyMs),
    catchUp: () => {
      if (isLooking) return lookWaitedFor;
      isLooking = true;
      const isAway = hasFailed;
      running = running.then(look);
      if (isAway) return null; // in an outage nobody waits but the first who meets it
      const longEnough = new Promise<void>((resolve) => runLater(lookWaitMsMax, resolve));
      lookWaitedFor = Promise.race([running, longEnough]).then(() => {
        lookWaitedFor = null;
      });
      return lookWaitedFor;
    },
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}
