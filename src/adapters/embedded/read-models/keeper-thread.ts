import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { serveThread } from '../../threads/serve-thread.ts';
import { emptyLog } from '../sqlite/empty-log.ts';
import { openDatabase } from '../sqlite/open-database.ts';

export type KeeperCalls = {
  check: (file: string) => void;
  /** Waits for readers that are in the way. */
  emptyLogs: (files: readonly string[]) => void;
};

const readerWaitMs = 5_000;

function emptyLogOf(file: string): void {
  if (!existsSync(file)) return; // it was dropped meanwhile
  const db = new Sqlite(file, { fileMustExist: true, timeout: readerWaitMs });
  try {
    emptyLog(db);
  } finally {
    db.close();
  }
}

await serveThread<KeeperCalls>(() => ({
  calls: {
    check: (file) => {
      if (!existsSync(file)) return; // it was dropped meanwhile
      openDatabase({ file, kind: 'read', synchronous: 'NORMAL', isLeft: true }).close();
    },
    emptyLogs: (files) => files.forEach(emptyLogOf),
  },
  close: () => undefined,
}));
