import { rmSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyLogOf } from '../../../../src/adapters/embedded/read-models/empty-log-of.ts';
import { emptyLog } from '../../../../src/adapters/embedded/sqlite/empty-log.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

let folder: TempFolder;
let file: string;
let writer: Sqlite.Database;

beforeEach(() => {
  folder = createTempFolder();
  file = `${folder.path}/some.sqlite`;
  writer = new Sqlite(file);
  writer.pragma('journal_mode = WAL');
  writer.exec('CREATE TABLE lines (line TEXT); INSERT INTO lines VALUES (1)');
});

afterEach(() => {
  writer.close();
  folder.remove();
});

describe('emptying the log of a file', () => {
  it('cuts the log off', () => {
    emptyLogOf(file);
    expect(statSync(`${file}-wal`).size).toBe(0);
  });

  it('has nothing to do for a file that is gone', () => {
    expect(() => emptyLogOf(`${folder.path}/gone.sqlite`)).not.toThrow();
  });

  it('has nothing to do for a file that is dropped after it was opened', () => {
    let failed: unknown;
    emptyLogOf(file, (db) => {
      rmSync(file);
      try {
        emptyLog(db);
      } catch (error) {
        failed = error;
        throw error;
      }
    });
    expect(failed).toMatchObject({ code: 'SQLITE_IOERR_FSTAT' });
  });

  it('says what fails for a file that is there', () => {
    const fail = () => {
      throw new Error('No room is left.');
    };
    expect(() => emptyLogOf(file, fail)).toThrow('No room is left.');
  });
});
