import type { Database } from 'better-sqlite3';

/** Changes when another connection, of whatever process, has written. Prepared once: it is asked again and again. */
export const createDataVersion = (db: Database): (() => number) => {
  const version = db.prepare<[], number>('PRAGMA data_version').pluck();
  return () => version.get() as number;
};
