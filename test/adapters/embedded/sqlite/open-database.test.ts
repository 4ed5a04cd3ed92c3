import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/adapters/embedded/sqlite/open-database.ts';
import { StartupError } from '../../../../src/kernel/startup-error.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

describe('opening a data file', () => {
  let folder: TempFolder;
  let file: string;
  beforeEach(() => {
    folder = createTempFolder();
    file = join(folder.path, 'events.sqlite');
  });
  afterEach(() => folder.remove());

  const open = () => openDatabase({ file, kind: 'events', synchronous: 'FULL', busyTimeoutMs: 50 });
  const fill = (rows: number) => {
    const db = open();
    db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX by_text ON notes (text)');
    const add = db.prepare('INSERT INTO notes (text) VALUES (?)');
    db.transaction(() => {
      for (let row = 0; row < rows; row++) add.run(`note ${row} ${'x'.repeat(200)}`);
    })();
    return db;
  };
  const fingerprint = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder.path)
        .filter((name) => !name.endsWith('-shm')) // an index over the log, made anew by every first opener
        .map((name) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(folder.path, name)))
            .digest('hex'),
        ]),
    );
  const expectRefusal = (sentence: RegExp) => {
    const before = fingerprint();
    expect(open).toThrow(StartupError);
    expect(open).toThrow(sentence);
    expect(open).toThrow(file);
    expect(fingerprint()).toEqual(before);
  };
  const overwrite = (offset: number, bytes: string) => {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, bytes, offset, 'latin1');
    closeSync(descriptor);
  };

  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('marks a file again whose first mark was cut off before it was done', () => {
    open().close();
    // What SQLite writes before a first mark and removes after it: "the file was empty, at pages of 4,096 bytes".
    const journal = Buffer.alloc(512);
    Buffer.from('d9d505f920a163d7', 'hex').copy(journal);
    journal.writeUInt32BE(512, 20);
    journal.writeUInt32BE(4096, 24);
    writeFileSync(`${file}-journal`, journal);

    open().close();
    const again = open();
    expect(again.pragma('application_id', { simple: true })).toBe(0x52525301);
    again.close();
  });

  it('makes what only its owner can read, with the folders above and the log beside it', () => {
    file = join(folder.path, 'a', 'b', 'events.sqlite');
    const db = fill(1);
    const folders = [join(folder.path, 'a'), join(folder.path, 'a', 'b')];
    expect(folders.map(modeOf)).toEqual([0o700, 0o700]);
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual([0o600, 0o600, 0o600]);
    db.close();
  });

  it('leaves the rights of what is there', () => {
    chmodSync(folder.path, 0o750);
    fill(1).close();
    chmodSync(file, 0o640);
    open().close();
    expect([folder.path, file].map(modeOf)).toEqual([0o750, 0o640]);
  });

  it('makes a file with a log, full durability and overwriting of what is deleted', () => {
    const db = open();
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('secure_delete', { simple: true })).toBe(1);
    db.close();
    fill(10).close();
    const reader = openDatabase({ file, kind: 'events', synchronous: 'FULL', readonly: true });
    expect(reader.prepare('SELECT count(*) AS count FROM notes').get()).toEqual({ count: 10 });
    expect(() => reader.exec('DELETE FROM notes')).toThrow();
    reader.close();
  });

  it('opens what a killed process has left', () => {
    const db = fill(10);
    const copies = ['events.sqlite', 'events.sqlite-wal'].map((name) => readFileSync(join(folder.path, name)));
    db.close();
    const [main, log] = copies as [Buffer, Buffer];
    writeFileSync(file, main);
    writeFileSync(`${file}-wal`, log);
    const again = open();
    expect(again.prepare('SELECT count(*) AS count FROM notes').get()).toEqual({ count: 10 });
    again.close();
  });

  it('refuses a reader when there is no file, and makes none', () => {
    const options = { file, kind: 'events', synchronous: 'FULL', readonly: true } as const;
    expect(() => openDatabase(options)).toThrow(/There is no data file/);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('refuses what is no data file', () => {
    writeFileSync(file, 'This is a letter to the editor, and rather a long one too.\n'.repeat(100));
    expectRefusal(/damaged or no data file/);
  });

  it('refuses a file cut to a few bytes', () => {
    writeFileSync(file, 'SQLite format 3\0');
    expectRefusal(/damaged or no data file/);
  });

  it('refuses a file with a damaged page', () => {
    fill(2000).close();
    overwrite(4096 * 8, 'garbage'.repeat(500));
    expectRefusal(/is damaged/);
  });

  it('refuses a file that lost its end', () => {
    fill(2000).close();
    writeFileSync(file, readFileSync(file).subarray(0, 4096 * 10));
    expectRefusal(/is damaged/);
  });

  it('refuses the file of another program', () => {
    const foreign = new Sqlite(file);
    foreign.exec('CREATE TABLE theirs (id INTEGER)');
    foreign.close();
    expectRefusal(/is not the events file of this service/);
  });

  it('refuses the file of another program that was not closed', () => {
    const foreign = new Sqlite(file);
    foreign.pragma('journal_mode = WAL');
    foreign.exec('CREATE TABLE theirs (id INTEGER)');
    expectRefusal(/is not the events file of this service/);
    foreign.close();
  });

  it('refuses our own file of another kind', () => {
    openDatabase({ file, kind: 'ops', synchronous: 'FULL' }).close();
    expectRefusal(/is not the events file of this service/);
  });

  it('refuses a file of a newer version', () => {
    const db = fill(1);
    db.pragma('user_version = 9999');
    db.close();
    expectRefusal(/newer version of this service \(format 9999/);
  });

  it('refuses a file that another process has locked', () => {
    fill(1).close();
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    expectRefusal(/is locked by another process/);
    other.exec('ROLLBACK');
    other.close();
    open().close();
  });

  it('refuses a folder in the place of the file', () => {
    mkdirSync(file);
    expect(open).toThrow(StartupError);
    expect(open).toThrow(/cannot be read and written/);
  });
});
