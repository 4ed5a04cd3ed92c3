import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { joinThread } from '../../threads/join-thread.ts';
import { type Calling, startThread } from '../../threads/thread.ts';
import type { OpsWriterCalls, OpsWriterData } from './writer-thread.ts';

/** The thread that writes `ops.sqlite`. The operational stores and buses of one process share it. */
export interface OpsWriterClient extends Calling<OpsWriterCalls> {
  /** One name for it, whatever way the folder was named. */
  readonly file: string;
}

export interface OpsWriter extends OpsWriterClient {
  /** For another thread of this process, who takes it with `joinOpsWriter`. */
  readonly share: () => SharedOpsWriter;
}

/** As it is handed over to a thread; the port is to be transferred. */
export interface SharedOpsWriter {
  readonly port: MessagePort;
  readonly file: string;
}

export interface OpsWriterClientOptions {
  /** The data folder; it is made when it is not there. */
  readonly folder: string;
  /** The writer thread died: nothing can be written any more, so the process should end. */
  readonly onFatal: (error: Error) => void;
}

const name = 'operational writer';

export async function startOpsWriter({ folder, onFatal }: OpsWriterClientOptions): Promise<OpsWriter> {
  const file = join(folder, 'ops.sqlite');
  const thread = await startThread<OpsWriterCalls>({
    name,
    beside: import.meta.url,
    module: 'writer-thread',
    workerData: { file } satisfies OpsWriterData,
    onExit: onFatal,
  });
  const real = realpathSync(file);
  return { ...thread, file: real, share: () => ({ port: thread.share(), file: real }) };
}

/** The writer that another thread has started; who started it ends it. */
export const joinOpsWriter = ({ port, file }: SharedOpsWriter): OpsWriterClient => ({
  ...joinThread<OpsWriterCalls>(name, port),
  file,
});
