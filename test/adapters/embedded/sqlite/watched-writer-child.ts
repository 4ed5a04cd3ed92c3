import { workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';

export interface WatchedWriterData {
  /** The writer thread's module. */
  readonly watched: string;
  /** What SQLite says of the connection when it is closed (https://www.sqlite.org/pragma.html#pragma_synchronous). */
  readonly synchronous: Int32Array;
}

const { watched, synchronous } = workerData as WatchedWriterData;
const close = Sqlite.prototype.close;
Sqlite.prototype.close = function (this: Sqlite.Database) {
  synchronous[0] = this.pragma('synchronous', { simple: true }) as number;
  return close.call(this);
};

await import(watched);
