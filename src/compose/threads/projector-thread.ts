import type { BackendSettings } from '../../config/backend-settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { startSupervisedThread } from './supervised-thread.ts';
import type { ProjectorThreadCalls } from './projector-worker.ts';

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

export async function startProjectorThread(options: ProjectorThreadOptions): Promise<ProjectorThread> {
  const { dataDir, eventStoreUrl, mongodbUrl, logLevel, holder, clock, log, onFatal } = options;
  const thread = await startSupervisedThread<ProjectorThreadCalls>({
    name: 'the projector',
    prepare: () => ({
      workerData: { role: 'projector', dataDir, eventStoreUrl, mongodbUrl, logLevel, holder },
    }),
    clock,
    log,
    onFatal,
  });
  return { failures: async () => thread.serving().call('failures', null), close: thread.close };
}
