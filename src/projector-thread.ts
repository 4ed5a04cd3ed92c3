import { createRestartAllowance } from './adapters/threads/restart-allowance.ts';
import { startThread, type Thread } from './adapters/threads/thread.ts';
import type { BackendSettings } from './compose-stores.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { WorkerCalls, WorkerData } from './worker.ts';

export interface ProjectorThread {
  /** Read models whose folds threw: they stand still until that is mended. */
  readonly failures: () => Promise<readonly { readonly name: string; readonly message: string }[]>;
  readonly close: () => Promise<void>;
}

export interface ProjectorThreadOptions extends BackendSettings {
  readonly logLevel: string;
  /** Names the projector of this process; a thread that follows a dead one goes on with its leases. */
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onFatal: (error: Error) => void;
}

/** A projector that dies more often than this is not helped by another start. */
const restartsMax = 3;
const restartWindowMs = 60_000;

/**
 * Runs the projector in a thread of its own. A thread that dies is started again: it goes on from its checkpoints. If
 * it keeps dying the process ends with the reason, so that there is never a service whose read models stand still.
 */
export async function startProjectorThread(options: ProjectorThreadOptions): Promise<ProjectorThread> {
  const { dataDir, eventStoreUrl, mongodbUrl, logLevel, holder, clock, log, onFatal } = options;
  const restarts = createRestartAllowance(restartsMax, restartWindowMs);
  const closing = new AbortController();
  let hasFailed = false;
  let serving: Thread<WorkerCalls> | null = null;
  let starting: Promise<Thread<WorkerCalls>> = start();

  async function start(): Promise<Thread<WorkerCalls>> {
    serving = await startThread<WorkerCalls>({
      name: 'projector',
      beside: import.meta.url,
      module: 'worker',
      workerData: { role: 'projector', dataDir, eventStoreUrl, mongodbUrl, logLevel, holder } satisfies WorkerData,
      onExit: (reason) => {
        serving = null;
        if (closing.signal.aborted) return;
        if (!restarts.take(clock.nowMs())) return onFatal(reason);
        log.error('the projector is started again', { error: reason });
        starting = start();
        starting.catch((error: Error) => {
          if (closing.signal.aborted) return;
          hasFailed = true;
          onFatal(error);
        });
      },
      signal: closing.signal,
    });
    return serving;
  }

  await starting;
  return {
    failures: async () => {
      // Who asks how it is does not wait for it: in an outage that may take as long as the outage.
      if (serving === null) throw new Error('the projector is being started again');
      return serving.call('failures', null);
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
