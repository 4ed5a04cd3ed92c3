import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { serveThread } from '../../threads/serve-thread.ts';
import { emptyLog } from '../sqlite/empty-log.ts';
import { openDatabase, takeLeftLog } from '../sqlite/open-database.ts';

export type KeeperCalls = {
  check: (file: string) => void;
  /** Only where a crash left the log: not while somebody has the file open. */
  takeLogAndCheck: (file: string) => void;
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

const readFile = (file: string) => ({ file, kind: 'read', synchronous: 'NORMAL' }) as const;

function check(file: string): void {
  if (!existsSync(file)) return; // it was dropped meanwhile
  openDatabase({ ...readFile(file), isLeft: true }).close();
}

await serveThread<KeeperCalls>(() => ({
  calls: {
    check,
    takeLogAndCheck: (file) => {
      if (takeLeftLog(readFile(file))) check(file);
    },
    emptyLogs: (files) => files.forEach(emptyLogOf),
  },
  close: () => undefined,
}));
