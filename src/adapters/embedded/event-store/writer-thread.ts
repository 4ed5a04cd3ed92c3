import { BroadcastChannel, workerData } from 'node:worker_threads';
import type { Appended, Truncation, VersionConflict } from '../../../ports/event-store.ts';
import type { EncodedAppend } from '../../encode-append.ts';
import { createEventTables } from './tables.ts';
import { createEventWriter } from './writer.ts';
import { createGroupCommit } from '../sqlite/group-commit.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';

export interface EventWriterData {
  readonly file: string;
  /** The channel on which each commit is announced. */
  readonly channel: string;
}

export type EventWriterCalls = {
  readonly append: (appends: readonly EncodedAppend[]) => Promise<(Appended | VersionConflict)[]>;
  readonly truncate: (truncations: readonly Truncation[]) => Promise<void>;
};

/** Pages of indexes that appends to random streams touch. */
const cacheKib = 16 * 1024;

/** Streams that one transaction truncates, in some milliseconds: each has to be flushed to the disk, for which others wait, too. */
const truncatedAtOnce = 250;

await serveThread<EventWriterCalls>(() => {
  const { file, channel } = workerData as EventWriterData;
  const db = openDatabase({ file, kind: 'events', synchronous: 'FULL' });
  createEventTables(db);
  db.pragma(`cache_size = -${cacheKib}`);
  const announcements = new BroadcastChannel(channel);
  const commits = createGroupCommit(db, () => announcements.postMessage(null));
  const writer = createEventWriter(db);
  return {
    calls: {
      append: (appends) => {
        const bytes = appends.reduce((sum, append) => sum + append.bytes, 0);
        return commits.run(bytes, () => appends.map(writer.append));
      },
      truncate: async (truncations) => {
        for (let from = 0; from < truncations.length; from += truncatedAtOnce) {
          const step = truncations.slice(from, from + truncatedAtOnce);
          await commits.run(0, () => step.forEach(writer.truncate));
        }
        writer.scrubLog();
      },
    },
    close: () => {
      announcements.close();
      db.close();
    },
  };
});
