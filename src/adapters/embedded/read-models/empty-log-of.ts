import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { emptyLog } from '../sqlite/empty-log.ts';

const readerWaitMs = 5_000;

function emptyWith(file: string, empty: typeof emptyLog): void {
  const db = new Sqlite(file, { fileMustExist: true, timeout: readerWaitMs });
  try {
    empty(db);
  } finally {
    db.close();
  }
}

/** Empties the log of a read model's file. The file may be dropped at any moment, and its log goes with it. */
export function emptyLogOf(file: string, empty: typeof emptyLog = emptyLog): void {
  try {
    emptyWith(file, empty);
  } catch (error) {
    if (existsSync(file)) throw error;
  }
}
