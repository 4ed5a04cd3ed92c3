import type { Log } from '../../ports/log.ts';
import type { RunLater } from '../../ports/run-later.ts';
import type { CountsByPolicy, HeardCounts, RequestCounts } from '../../records/request-counts.ts';

export interface CountExchange {
  /** A request of this client was let in here. */
  readonly note: (policy: string, client: number) => void;
  /** Resolves when nothing is written or read any more. */
  readonly close: () => Promise<void>;
}

/** Contract 17: a limit may be overshot by what arrives in one interval. */
const everyMs = 500;
/** What is told at once; those with most requests go first, the others wait for the next time. */
const clientsToldMax = 1_000;
/** Of more clients than this, which is more than are answered in an interval, the other processes do not hear. */
const clientsWaitingMax = 20_000;

/** Tells other processes what was counted here, and hears what they counted; while nothing is counted, neither. */
export function createCountExchange(deps: {
  readonly requestCounts: RequestCounts;
  readonly runLater: RunLater;
  readonly onHeard: (heard: HeardCounts) => void;
  readonly log: Log;
}): CountExchange {
  const { requestCounts, runLater, onHeard, log } = deps;
  const waiting = new Map<string, Map<number, number>>();
  let clientsWaiting = 0;
  let isClosed = false;
  let isPlanned = false;
  let hasFailed = false;
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

  /** What could not be told is not told later: it may have been, and nothing may be counted twice. */
  async function exchange(): Promise<void> {
    try {
      for (const heard of await requestCounts.exchange(takeWaiting())) onHeard(heard);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn('requests are counted by each process alone: the counts were not exchanged', { error });
      hasFailed = true;
    }
    if (clientsWaiting > 0) plan();
  }

  function plan(): void {
    if (isPlanned || isClosed) return;
    isPlanned = true;
    runLater(everyMs, () => {
      if (isClosed) return;
      running = running.then(exchange);
      isPlanned = false;
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
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}
