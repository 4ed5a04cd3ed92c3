import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { joinThread } from '../../threads/join-thread.ts';
import { type Calling, startThread } from '../../threads/thread.ts';
import { makeFolder } from '../sqlite/make-folder.ts';
import type { EventWriterCalls, EventWriterData } from './writer-thread.ts';

/** The thread that appends to `events.sqlite`. Those of one process who append share it, and its transactions. */
export type EventWriterClient = Calling<EventWriterCalls>;

export interface EventWriter extends EventWriterClient {
  /** For another thread of this process, who takes it with `joinEventWriter`; to be transferred. */
  readonly share: () => MessagePort;
}

export interface EventWriterOptions {
  /** The data folder; it is made when it is not there. */
  readonly folder: string;
  /** The writer thread died: nothing can be appended any more, so the process should end. */
  readonly onFatal: (error: Error) => void;
}

const name = 'event writer';

/** One name for the file, whatever way the folder was named, and the channel on which its commits are announced. */
export const eventFileOf = (folder: string): EventWriterData => {
  const file = join(realpathSync(folder), 'events.sqlite');
  return { file, channel: `events:${file}` };
};

export async function startEventWriter({ folder, onFatal }: EventWriterOptions): Promise<EventWriter> {
  makeFolder(folder);
  return startThread<EventWriterCalls>({
    name,
    beside: import.meta.url,
    module: 'writer-thread',
    workerData: eventFileOf(folder),
    onExit: onFatal,
  });
}

/** The writer that another thread has started; who started it ends it. */
export const joinEventWriter = (port: MessagePort): EventWriterClient => joinThread<EventWriterCalls>(name, port);
