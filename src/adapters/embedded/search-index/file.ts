import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GenerationDropped, type SearchKind, searchKinds } from '../../../ports/search-index.ts';
import { leaseTableSql } from '../sqlite/leases.ts';
import { type Database, openDatabase } from '../sqlite/open-database.ts';

export const searchFolder = (folder: string): string => join(folder, 'search');

/** Of the one pointer in its file. */
export const pointerName = 'search';

export const pointersFile = (folder: string): string => join(searchFolder(folder), 'pointers.sqlite');

const filePattern = /^g(\d+)\.sqlite$/;

export const generationFile = (folder: string, generation: number): string => {
  if (!Number.isSafeInteger(generation) || generation < 0) throw new Error(`${generation} is no generation`);
  return join(searchFolder(folder), `g${generation}.sqlite`);
};

/** Null for any other file of the folder. */
export const generationOfFile = (name: string): number | null => {
  const [, digits] = filePattern.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
};

/** The tokens are cut before they come here (`src/search/words`): the tokenizer of SQLite only parts them at blanks. */
const tokenizer = `tokenize = "ascii tokenchars '@/._-+#$~'"`;

// No content: it would double the file, and nobody reads it. The vectors of a document stand apart from its codes: those are
// read when the file is opened, these only where a code is near.
const tablesOf = (kind: SearchKind): string => `
  CREATE TABLE docs_${kind} (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    words_row INTEGER NOT NULL,
    source INTEGER NOT NULL,
    published_ms INTEGER,
    is_coverage INTEGER NOT NULL,
    is_bare INTEGER NOT NULL,
    position INTEGER NOT NULL,
    model INTEGER NOT NULL
  );
  CREATE INDEX "docs_${kind}(model)" ON docs_${kind} (model, position, id);
  CREATE INDEX "docs_${kind}(source)" ON docs_${kind} (source, id);
  CREATE TABLE hashes_${kind} (ordinal INTEGER PRIMARY KEY, hashes TEXT NOT NULL);
  CREATE TABLE free_${kind} (ordinal INTEGER PRIMARY KEY);
  CREATE TABLE codes_${kind} (ordinal INTEGER PRIMARY KEY, change INTEGER NOT NULL, space INTEGER NOT NULL, codes BLOB NOT NULL);
  CREATE INDEX "codes_${kind}(change)" ON codes_${kind} (change);
  CREATE TABLE vectors_${kind} (ordinal INTEGER PRIMARY KEY, vectors BLOB NOT NULL);
  CREATE VIRTUAL TABLE words_${kind} USING fts5(title, names, body, source, content = '', contentless_delete = 1, ${tokenizer});`;

// `change` counts what was written of codes, so that who holds them in memory can follow.
const sharedTables = `
  CREATE TABLE state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    checkpoint INTEGER NOT NULL,
    change INTEGER NOT NULL,
    is_dropped INTEGER NOT NULL
  );
  INSERT INTO state VALUES (1, 0, 0, 0);
  CREATE TABLE sources (ordinal INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
  CREATE TABLE spaces (ordinal INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL);
  CREATE TABLE models (ordinal INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, space INTEGER NOT NULL);
  ${leaseTableSql};`;

/**
 * Of which kinds words were taken away since they were merged, so that something of them may be left in the file, and by how many
 * writes. Files that were made before it are written, too.
 */
const remainsTable =
  'CREATE TABLE IF NOT EXISTS remains (kind TEXT PRIMARY KEY, writes INTEGER NOT NULL) WITHOUT ROWID';

/** As in the read models: the same pages are written again and again. */
const writerPragmas = ['cache_size = -32768', 'wal_autocheckpoint = 4000'];

const hasTables = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'state'").get() !== undefined;

export const openForWriting = (file: string): Database => {
  const db = openDatabase({ file, kind: 'search', synchronous: 'NORMAL' });
  try {
    for (const pragma of writerPragmas) db.pragma(pragma);
    const create = () => {
      if (!hasTables(db)) db.exec(sharedTables + searchKinds.map(tablesOf).join(''));
    };
    if (!hasTables(db)) db.transaction(create).immediate();
    db.exec(remainsTable);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** `unmade`: somebody is just making it. `dropped`: whoever dropped it has not removed the file yet, or was killed. */
export type FileStatus = 'missing' | 'unmade' | 'dropped' | 'there';

/** Open, if it is there. */
export const openForSearching = (file: string): Database | Exclude<FileStatus, 'there'> => {
  if (!existsSync(file)) return 'missing';
  const db = openDatabase({ file, kind: 'search', synchronous: 'NORMAL', readonly: true });
  let isUsed = false;
  try {
    if (!hasTables(db)) return 'unmade';
    isUsed = db.prepare('SELECT is_dropped FROM state').pluck().get() === 0;
    return isUsed ? db : 'dropped';
  } finally {
    if (!isUsed) db.close();
  }
};

export const fileStatus = (file: string): FileStatus => {
  const found = openForSearching(file);
  if (typeof found === 'string') return found;
  found.close();
  return 'there';
};

export interface SearchState {
  readonly checkpoint: number;
  readonly change: number;
  readonly is_dropped: number;
}

/** Whoever still has the file open after it was dropped is told so by its next call. */
export const createState = (db: Database): (() => SearchState) => {
  const state = db.prepare<[], SearchState>('SELECT checkpoint, change, is_dropped FROM state');
  return () => {
    const found = state.get();
    if (found === undefined || found.is_dropped === 1) throw new GenerationDropped();
    return found;
  };
};
