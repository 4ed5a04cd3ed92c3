import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StartupError } from '../../../kernel/startup-error.ts';
import { readFileHeader } from './file-header.ts';
import { makeFolder } from './make-folder.ts';

export type Database = Sqlite.Database;

/** Each kind of file has its own mark (`application_id`, "RRS" and a byte) and format version (`user_version`). */
const formats = {
  events: { applicationId: 0x52525301, version: 1 },
  ops: { applicationId: 0x52525302, version: 1 },
  read: { applicationId: 0x52525303, version: 1 },
  pointers: { applicationId: 0x52525304, version: 1 },
  passed: { applicationId: 0x52525305, version: 1 },
  search: { applicationId: 0x52525306, version: 1 },
  vectors: { applicationId: 0x52525307, version: 1 },
} as const;

export type DatabaseKind = keyof typeof formats;

export interface OpenDatabaseOptions {
  readonly file: string;
  readonly kind: DatabaseKind;
  /** FULL for what cannot be made again, NORMAL for what is rebuilt from events (ops/decisions/0002). */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** The file must exist. */
  readonly readonly?: boolean;
  /** Its log was left by a crash and has been taken by `takeLeftLog`. */
  readonly isLeft?: boolean;
  /** How long a connection waits for another process. */
  readonly busyTimeoutMs?: number;
}

/**
 * For connections that only read. Each thread has several of them, and what they keep adds up; what SQLite keeps not, the
 * system mostly does.
 */
export const readerCachePragma = 'cache_size = -4096';

/** Checked whole whenever nobody has it open; a larger one only after a crash. About 0.2 s per 100 MiB. */
const smallBytes = 4 * 1024 * 1024;
const crashCheckBytesMax = 256 * 1024 * 1024;

const ownerOnly = 0o600;

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Refuses what is not ours before SQLite touches it, so that nothing is changed. True when the file must be made. */
function isNew({ file, kind, readonly }: OpenDatabaseOptions): boolean {
  const header = readFileHeader(file);
  if (header === null) {
    if (readonly) throw new StartupError(`There is no data file ${file}; start the service once to make it.`);
    return true;
  }
  if (header === 'not-sqlite') {
    throw new StartupError(
      `${file} is damaged or no data file of this service; ${remedies[kind]} or choose another data folder.`,
    );
  }
  const { applicationId, version } = formats[kind];
  if (header.applicationId !== applicationId) {
    throw new StartupError(
      `${file} is not the ${kind} file of this service but of something else; choose another data folder.`,
    );
  }
  if (header.userVersion > version) {
    throw new StartupError(
      `${file} was written by a newer version of this service (format ${header.userVersion}, this one knows ` +
        `${version}); start the newer version.`,
    );
  }
  return false;
}

/** The mark stands in the file before the log is switched on, so that the header can always be judged without it. */
function markNew(db: Database, kind: DatabaseKind): void {
  const { applicationId, version } = formats[kind];
  const mark = db.transaction(() => {
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${version}`);
  });
  mark.exclusive();
}

/**
 * Whoever was killed while it marked a file has left the mark and a journal that undoes it: the header is ours, and
 * the first look of SQLite empties the file.
 */
const isUnmarked = (db: Database): boolean => db.pragma('page_count', { simple: true }) === 0;

/** Only who has a file alone can take its log away; SQLite answers at once when there are others. */
function isAlone(db: Database): boolean {
  try {
    return db.pragma('journal_mode = DELETE', { simple: true }) === 'delete';
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

/** Beside a file that was closed in order there is none. */
export const logBytesOf = (file: string): number => sizeOf(`${file}-wal`);

/**
 * A log stands beside a file while somebody has it open, and after an end that was no close. Such a one is moved into
 * the file; true if there was one.
 */
export function takeLeftLog(options: OpenDatabaseOptions): boolean {
  const { file } = options;
  if (logBytesOf(file) === 0) return false;
  let db: Database | undefined;
  try {
    if (isNew(options)) return false;
    db = new Sqlite(file, { fileMustExist: true, timeout: 0 });
    return isAlone(db);
  } catch (error) {
    throw startupErrorOf(error, options);
  } finally {
    db?.close();
  }
}

function checkWhole(db: Database, { file }: OpenDatabaseOptions, bytesMax: number): void {
  if (sizeOf(file) > bytesMax) return;
  const verdict: unknown = db.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') throw new Sqlite.SqliteError(String(verdict), 'SQLITE_CORRUPT');
}

/** What helps when a file is damaged: the truth comes from a backup, everything else from the truth. */
const remedies: Readonly<Record<DatabaseKind, string>> = {
  events: 'restore it from a backup',
  ops: 'restore it from a backup',
  read: 'remove the folder read, which is built anew from the events',
  pointers: 'remove the folder that it lies in, which is built anew from the events',
  passed: 'remove it, it is made anew',
  search: 'remove the folder search, which is built anew from the events',
  vectors: 'remove the folder search, which is built anew from the events',
};

function startupErrorOf(error: unknown, { file, kind }: OpenDatabaseOptions): unknown {
  if (!(error instanceof Error) || error instanceof StartupError) return error;
  const code = (error as { code?: string }).code ?? '';
  const because = (sentence: string) => new StartupError(sentence, { cause: error });
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return because(`${file} is locked by another process; stop that process or choose another data folder.`);
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return because(`${file} is damaged (${error.message}); ${remedies[kind]}.`);
  }
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|IOERR|FULL)|EACCES|EPERM|EROFS|EISDIR|ENOTDIR|EEXIST|ENOSPC)/.test(code)) {
    return because(`${file} cannot be read and written (${error.message}); check its folder, rights and free space.`);
  }
  return error;
}

function configure(db: Database, options: OpenDatabaseOptions, found: Found): void {
  if (!options.readonly) {
    if (found === 'nothing' || isUnmarked(db)) markNew(db, options.kind);
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${options.synchronous}`);
    db.pragma('secure_delete = ON');
    // Takes the write lock once: a file that another process never lets go is told now, not at the first write. Read
    // models are opened while they are written, by threads that only read them and shall not wait.
    if (options.kind !== 'read') db.transaction(() => {}).immediate();
    // What others have open was checked by the first of them.
    if (found !== 'open') checkWhole(db, options, found === 'left' ? crashCheckBytesMax : smallBytes);
  }
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

type Found = 'nothing' | 'closed' | 'open' | 'left';

function look(options: OpenDatabaseOptions): Found {
  if (isNew(options)) return 'nothing';
  if (options.isLeft === true || (!options.readonly && takeLeftLog(options))) return 'left';
  return logBytesOf(options.file) > 0 ? 'open' : 'closed';
}

/** Opens one data file, or throws a `StartupError` and leaves the file as it was. */
export function openDatabase(options: OpenDatabaseOptions): Database {
  const { file, readonly = false, busyTimeoutMs = 5000 } = options;
  let db: Database | undefined;
  try {
    if (!readonly) makeFolder(dirname(file));
    const found = look(options);
    db = new Sqlite(file, { readonly, fileMustExist: readonly, timeout: busyTimeoutMs });
    // Before anything is written: the files that SQLite puts beside it take over its rights.
    if (found === 'nothing') chmodSync(file, ownerOnly);
    configure(db, options, found);
    return db;
  } catch (error) {
    db?.close();
    throw startupErrorOf(error, options);
  }
}
