import type { Database } from './open-database.ts';

const waitMs = 5_000;
const pauseMs = 20;
const neverChanged = new Int32Array(new SharedArrayBuffer(4));
const pauseThread = (): void => void Atomics.wait(neverChanged, 0, 0, pauseMs);

/**
 * Moves the log into the file and cuts it off: older versions of a page may hold text that is gone from the file.
 * SQLite waits for readers by itself, but never for another one that moves the log at the same moment.
 */
export function emptyLog(db: Database, pause: () => void = pauseThread): void {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    if (result?.busy === 0) return;
    if (performance.now() >= untilMs) break;
    pause();
  }
  throw new Error(`A reader of ${db.name} keeps its log from being emptied; try again.`);
}
