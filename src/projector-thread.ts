import { startThread, type Thread } from './adapters/threads/thread.ts';
import type { WorkerCalls, WorkerData } from './worker.ts';

export interface ProjectorThread {
  readonly close: () => Promise<void>;
}

export interface ProjectorThreadOptions {
  readonly dataDir: string;
  readonly logLevel: string;
  readonly onFatal: (error: Error) => void;
}

/** A projector that dies more often than this is not helped by another start. */
const restartsMax = 3;

/**
 * Runs the projector in a thread of its own. A thread that dies is started again: it goes on from its checkpoints. If
 * it keeps dying the process ends with the reason, so that there is never a service whose read models stand still.
 */
export async function startProjectorThread(options: ProjectorThreadOptions): Promise<ProjectorThread> {
  const { dataDir, logLevel, onFatal } = options;
  let closed = false;
  let restarts = 0;
  let starting: Promise<Thread<WorkerCalls>> = start();

  function start(): Promise<Thread<WorkerCalls>> {
    return startThread<WorkerCalls>({
      name: 'projector',
      beside: import.meta.url,
      module: 'worker',
      workerData: { role: 'projector', dataDir, logLevel } satisfies WorkerData,
      onExit: (reason) => {
        if (closed) return;
        restarts += 1;
        if (restarts > restartsMax) return onFatal(reason);
        starting = start();
        starting.catch(onFatal);
      },
    });
  }

  await starting;
  return {
    close: async () => {
      closed = true;
      await (await starting).close();
    },
  };
}
