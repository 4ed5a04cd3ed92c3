import type { Connection } from '../../adapters/node-http/http-connections.ts';
import type { HandOut } from '../../adapters/node-http/serve-http.ts';
import { createRestartDelays } from '../../concurrency/restart-delays.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { type HttpProcess, startHttpProcess } from './http-process.ts';
import type { HttpProcessStart } from './messages.ts';

export interface HttpProcesses {
  /** Gives a connection to the one whose turn it is; false when it is that of this process. */
  readonly handOut: HandOut;
  /** How many take connections, this one among them. */
  readonly serving: () => number;
  /** Lets the requests in hand finish everywhere. May be called twice. */
  readonly close: () => Promise<void>;
}

export interface HttpProcessesOptions {
  /** Beside this one. */
  readonly count: number;
  /** Which is told to each of them, numbered from 1. */
  readonly startOf: (number: number) => HttpProcessStart;
  /** Serves a connection in this process. */
  readonly serveHere: (connection: Connection) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** One that has served for a minute did not die of its start. */
const restartDelays = { firstMs: 250, maxMs: 30_000, steadyMs: 60_000 };
/** Longer than it takes to cut off the slowest requests (10 s) and to close the stores. */
const stopMsMax = 20_000;

/**
 * Further processes that answer the requests of one port beside this one. One that dies is started again, later and later
 * if it keeps dying; meanwhile the others have its connections. Its death is nobody else's.
 */
export function startHttpProcesses(options: HttpProcessesOptions): HttpProcesses {
  const { count, startOf, serveHere, clock, log } = options;
  const closing = new AbortController();
  const running = new Map<number, HttpProcess>();
  let turn = 0;
  let closed: Promise<void> | undefined;

  const handOut: HandOut = (connection) => {
    do {
      turn = (turn + 1) % (count + 1); // 0 is this process
      const other = running.get(turn);
      if (other?.canTake() === true) {
        other.take(connection);
        return true;
      }
    } while (turn !== 0);
    return false;
  };

  const giveBack = (connection: Connection): void => {
    if (!handOut(connection)) serveHere(connection);
  };

  /** Until it ends, or could not be begun; answers why. */
  async function runOne(number: number, onReady: () => void): Promise<unknown> {
    try {
      const started = startHttpProcess({
        start: startOf(number),
        giveBack,
        clock,
        onReady: (processId, metricsUrl) => {
          onReady();
          log.info('a further process answers requests', { number, processId, ...(metricsUrl && { metricsUrl }) });
        },
      });
      running.set(number, started);
      return await started.ended;
    } catch (error) {
      return error; // the system has no room for a process, which is no reason to end this one
    } finally {
      running.delete(number);
    }
  }

  async function keepRunning(number: number): Promise<void> {
    const delays = createRestartDelays(restartDelays);
    while (!closing.signal.aborted) {
      let readyMs: number | undefined;
      const error = await runOne(number, () => {
        readyMs = clock.nowMs();
      });
      if (closing.signal.aborted) return;
      const delayMs = delays.next(readyMs === undefined ? 0 : clock.nowMs() - readyMs);
      log.error('a process that answers requests ended, and is started again', { number, delayMs, error });
      await clock.sleep(delayMs, closing.signal);
    }
  }

  const kept = Array.from({ length: count }, (_, index) => keepRunning(index + 1));

  async function close(): Promise<void> {
    closing.abort();
    for (const { stop } of running.values()) stop();
    const all = Promise.all(kept);
    const over = new AbortController();
    const killLate = async (): Promise<void> => {
      await clock.sleep(stopMsMax, over.signal);
      if (over.signal.aborted) return;
      log.warn('processes that answer requests were ended because they took too long to stop', { left: running.size });
      for (const { kill } of running.values()) kill();
    };
    await Promise.all([killLate(), all.finally(() => over.abort())]);
  }

  return {
    handOut,
    serving: () => 1 + [...running.values()].filter(({ isReady }) => isReady()).length,
    close: () => (closed ??= close()),
  };
}
