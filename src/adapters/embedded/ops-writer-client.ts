import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { startThread, type Thread } from '../threads/thread.ts';
import type { OpsWriterCalls, OpsWriterData } from './ops-writer-thread.ts';

/** The thread that writes `ops.sqlite`. The operational store and the bus of one process may share it. */
export interface OpsWriterClient extends Thread<OpsWriterCalls> {
  /** One name for it, whatever way the folder was named. */
  readonly file: string;
}

export interface OpsWriterClientOptions {
  /** The data folder; it is made when it is not there. */
  readonly folder: string;
  /** The writer thread died: nothing can be written any more, so the process should end. */
  readonly onFatal: (error: Error) => void;
}

export async function startOpsWriter({ folder, onFatal }: OpsWriterClientOptions): Promise<OpsWriterClient> {
  const file = join(folder, 'ops.sqlite');
  const thread = await startThread<OpsWriterCalls>({
    name: 'operational writer',
    beside: import.meta.url,
    module: 'ops-writer-thread',
    workerData: { file } satisfies OpsWriterData,
    onExit: onFatal,
  });
  return { ...thread, file: realpathSync(file) };
}
