import type { ProjectorThreadCalls, ProjectorThreadData } from './projector-worker.ts';
import type { ToldDocuments } from './told-documents.ts';
import { startSupervisedThread, type ThreadSupervision } from './supervised-thread.ts';

export interface ProjectorThread {
  /** Read models whose folds threw: they stand still until that is mended. */
  readonly failures: () => Promise<readonly { readonly name: string; readonly message: string }[]>;
  readonly close: () => Promise<void>;
}

/** It folds some events at a time: whole logs are gone through by other threads. */
const youngMbMax = 12;

export async function startProjectorThread(
  options: ThreadSupervision & {
    readonly data: ProjectorThreadData;
    /** Who follows read models in this process. */
    readonly told?: ToldDocuments | undefined;
  },
): Promise<ProjectorThread> {
  const { told } = options;
  const thread = await startSupervisedThread<ProjectorThreadCalls>({
    ...options,
    role: 'projector',
    name: 'the projector',
    youngMbMax,
    ...(told && {
      handOver: () => {
        const { data, transfer } = told.handOver();
        return { data: { told: data }, transfer };
      },
    }),
  });
  return { failures: async () => thread.serving().call('failures', null), close: thread.close };
}
