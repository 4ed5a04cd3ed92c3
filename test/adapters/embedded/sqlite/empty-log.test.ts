import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyLog } from '../../../../src/adapters/embedded/sqlite/empty-log.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

let folder: TempFolder;

beforeEach(() => {
  folder = createTempFolder();
});

afterEach(() => folder.remove());

/** Holds the lock of whoever moves the log, as long as a reader is in its way. */
const moveLog = `
  const { workerData } = require('node:worker_threads');
  const db = new (require('better-sqlite3'))(workerData, { timeout: 30_000 });
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
`;

describe('emptying the log', () => {
  it('waits for another one that moves the log at the same moment', async () => {
    const file = `${folder.path}/some.sqlite`;
    const db = new Sqlite(file, { timeout: 0 });
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE lines (line TEXT); INSERT INTO lines VALUES (1)');
    const reader = new Sqlite(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM lines').all();
    db.exec('INSERT INTO lines VALUES (2)'); // which the reader does not see
    const other = new Worker(moveLog, { eval: true, workerData: file });
    const otherEnded = once(other, 'exit');
    const isMoving = () => (db.pragma('wal_checkpoint(PASSIVE)') as { busy: number }[])[0]!.busy === 1;
    await expect.poll(isMoving).toBe(true);

    let pauses = 0;
    emptyLog(db, () => {
      pauses += 1;
      if (reader.open) reader.close(); // from here on, the other one gets to its end
    });

    expect(pauses).toBeGreaterThan(0);
    expect(statSync(`${file}-wal`).size).toBe(0);
    await otherEnded;
    db.close();
  });
});
