import type { TransferListItem } from 'node:worker_threads';
import { createRestartAllowance } from '../../adapters/threads/restart-allowance.ts';
import { startThread, type Thread } from '../../adapters/threads/thread.ts';
import type { ThreadCalls } from '../../adapters/threads/thread-messages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

export interface SupervisedThread<Calls extends ThreadCalls> {
  /** False while the thread is being started again. */
  readonly isServing: () => boolean;
  /** Throws while the thread is being started again. */
  readonly serving: () => Thread<Calls>;
  readonly close: () => Promise<void>;
}

export interface ThreadSupervision {
  readonly clock: Clock;
  readonly log: Log;
  /** It keeps dying. */
  readonly onFatal: (error: Error) => void;
  /** Aborted when all threads are about to be closed, one after the other: one that has not begun by then never does. */
  readonly ending?: AbortSignal;
}

export interface SupervisedThreadOptions extends ThreadSupervision {
  /** The thread's module is `<role>-worker`, beside this one. */
  readonly role: string;
  /** As sentences name it: `the projector`. */
  readonly name: string;
  readonly youngMbMax?: number;
  /** Ends the first start, which then throws. */
  readonly signal?: AbortSignal;
  /** What the thread is told, copied whole at each start. */
  readonly data: object;
  /** What it is told besides, made anew at each start because part of it is given away. */
  readonly handOver?: () => { readonly data: object; readonly transfer: readonly TransferListItem[] };
}

/** A thread that dies more often than this is not helped by another start. */
const restartsMax = 3;
const restartWindowMs = 60_000;

/**
 * Runs a part of the service in a thread of its own. A thread that dies is started again: it goes on from its
 * checkpoints. If it keeps dying the process ends with the reason, so that there is never a service that only looks well.
 */
export async function startSupervisedThread<Calls extends ThreadCalls>(
  options: SupervisedThreadOptions,
): Promise<SupervisedThread<Calls>> {
  const { role, name, data, handOver, youngMbMax, clock, log, onFatal } = options;
  const restarts = createRestartAllowance(restartsMax, restartWindowMs);
  const closing = new AbortController();
  const ended = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
  let hasFailed = false;
  let serving: Thread<Calls> | null = null;
  let starting: Promise<Thread<Calls>> = start();

  async function start(): Promise<Thread<Calls>> {
    const handed = handOver?.();
    serving = await startThread<Calls>({
      name: role,
      beside: import.meta.url,
      module: `${role}-worker`,
      workerData: { ...data, ...handed?.data },
      transfer: handed?.transfer ?? [],
      ...(youngMbMax !== undefined && { youngMbMax }),
      onExit: (reason) => {
        serving = null;
        if (ended.aborted) return;
        if (!restarts.take(clock.nowMs())) return onFatal(reason);
        log.error(`${name} is started again`, { error: reason });
        starting = start();
        starting.catch((error: Error) => {
          if (ended.aborted) return;
          hasFailed = true;
          onFatal(error);
        });
      },
      signal: ended,
    });
    return serving;
  }

  await starting;
  return {
    isServing: () => serving !== null,
    serving: () => {
      // Who asks how it is does not wait for it: in an outage that may take as long as the outage.
      if (serving === null) throw new Error(`${name} is being started again`);
      return serving;
    },
    close: async () => {
      closing.abort();
      const thread = await starting.catch((error: unknown) => {
        if (hasFailed) throw error;
        return null; // it was still waiting for a server in the middle of an outage, and has nothing to finish
      });
      await thread?.close();
    },
  };
}
