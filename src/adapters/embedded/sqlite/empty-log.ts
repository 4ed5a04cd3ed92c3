import type { Database } from './open-database.ts';

/** Moves the log into the file and cuts it off: older versions of a page may hold text that is gone from the file. */
export function emptyLog(db: Database): void {
  const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (result?.busy !== 0) throw new Error(`A reader of ${db.name} keeps its log from being emptied; try again.`);
}
