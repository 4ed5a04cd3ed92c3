import type { Statement } from 'better-sqlite3';
import { StartupError } from '../../../kernel/startup-error.ts';
import type { IndexFields, ReadModelDeclaration } from '../../../kernel/projection.ts';
import { columnDefinition, createIndexSql, type DeclaredIndexes, declareIndexes } from '../sqlite/declared-index.ts';
import { type Database, openDatabase, readerCachePragma } from '../sqlite/open-database.ts';
import { leaseTableSql } from '../sqlite/leases.ts';
import { freeTextsTableSql, textsTableSql } from './texts.ts';
import { createStatements } from '../sqlite/statements.ts';
import { fieldsOfIndex } from '../../checked-indexes.ts';

/** The SQLite file of one generation, open, with its tables. */
export interface ReadModelFile {
  readonly db: Database;
  readonly declaration: ReadModelDeclaration;
  readonly declared: DeclaredIndexes;
  readonly prepare: (sql: string) => Statement;
}

export interface ReadModelFileOptions {
  readonly file: string;
  readonly declaration: ReadModelDeclaration;
  readonly fillingWith?: readonly string[] | undefined;
  readonly readonly: boolean;
}

/**
 * The rows of a page were written at many different times, and lie as far apart as the registry is large. So each index says
 * where the text is, and a page is read without its rows of `docs`. The text of a document seldom moves, so an index is
 * seldom written for that; a file whose indexes do not say it, because it is older, is read through its rows.
 */
const carried = ['text'];

export const documentIndexSql = (fields: IndexFields): string => createIndexSql('docs', fields, carried);

/** In older files the id is a primary key, whose index says nothing else. Who writes looks for an id first in any case. */
const idIndexSql = 'CREATE INDEX "docs(id)" ON docs (id, text)';

export const positionIndexSql = 'CREATE INDEX IF NOT EXISTS "docs(position)" ON docs (position, id, text)';

/** The text of a row of `docs`. */
export const bodySql = '(SELECT body FROM texts WHERE texts.id = docs.text)';

// What was deleted and when, so that followers hear of it; a document that comes back leaves this list.
export const deletedTableSql = [
  'CREATE TABLE deleted (id TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE INDEX "deleted(position)" ON deleted (position, id)',
];

const ownerOf = ({ name, generation }: ReadModelDeclaration): string => `read model ${name} generation ${generation}`;

// The same indexes in another order of declaration are the same.
const declarationText = ({ indexes }: ReadModelDeclaration): string =>
  JSON.stringify(Object.entries(indexes).sort(([a], [b]) => (a < b ? -1 : 1)));

// Indexes are written all over the file: with a small cache and a checkpoint every 4 MiB the same pages are read and
// written again and again.
const writerPragmas = ['cache_size = -16384', 'wal_autocheckpoint = 4000'];

/** Before the first write of a connection: most of them only read. */
export const prepareToWrite = ({ db }: ReadModelFile): void => {
  for (const pragma of writerPragmas) db.pragma(pragma);
};

const tableExists = (db: Database, table: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined;

/** A file that was made before rows of texts were used again has no list of free ones. */
const hasAllTables = (db: Database): boolean => tableExists(db, 'docs') && tableExists(db, 'free_texts');

/** With the one index that it has from the beginning. */
export const documentTableSql = ({ fields }: DeclaredIndexes): readonly string[] => {
  const columns = ['id TEXT NOT NULL', 'position INTEGER NOT NULL', 'text INTEGER NOT NULL'];
  return [`CREATE TABLE docs (${[...columns, ...fields.map(columnDefinition)].join(', ')})`, idIndexSql];
};

const createTables = (db: Database, declared: DeclaredIndexes, options: ReadModelFileOptions): void => {
  for (const sql of documentTableSql(declared)) db.exec(sql);
  db.exec('CREATE TABLE state (checkpoint INTEGER NOT NULL, declaration TEXT NOT NULL)');
  for (const sql of [textsTableSql, freeTextsTableSql, leaseTableSql, ...deletedTableSql]) db.exec(sql);
  db.prepare('INSERT INTO state (checkpoint, declaration) VALUES (0, ?)').run(declarationText(options.declaration));
  for (const index of options.fillingWith ?? Object.keys(declared.indexes)) {
    db.exec(documentIndexSql(fieldsOfIndex(declared, index)));
  }
  if (options.fillingWith === undefined) db.exec(positionIndexSql);
};

export const checkDeclaration = (db: Database, declaration: ReadModelDeclaration): void => {
  const stored = db.prepare('SELECT declaration FROM state').pluck().get();
  if (stored !== declarationText(declaration)) {
    throw new StartupError(
      `${ownerOf(declaration)} was built with other indexes than it now declares: raise its generation.`,
    );
  }
};

/** Whoever dropped it was killed before the file was gone. */
export class HalfDropped extends StartupError {}

export const openReadModelFile = (options: ReadModelFileOptions): ReadModelFile => {
  const { file, declaration, readonly } = options;
  const owner = ownerOf(declaration);
  const declared = declareIndexes(owner, 'docs', declaration.indexes);
  const db = openDatabase({ file, synchronous: 'NORMAL', readonly, kind: 'read' });
  try {
    if (isDropped(db)) throw new HalfDropped(`${owner} was dropped only half way; try again.`);
    db.pragma(readerCachePragma);
    if (!readonly) {
      // Looked at first, without the lock: who opens a file that is being written shall not wait for its writer.
      const create = () => {
        if (!tableExists(db, 'docs')) createTables(db, declared, options);
        else if (!hasAllTables(db)) db.exec(freeTextsTableSql);
      };
      if (!hasAllTables(db)) db.transaction(create).immediate();
    }
    if (!tableExists(db, 'state')) throw new StartupError(`${owner} has not been made yet.`);
    checkDeclaration(db, declaration);
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, declaration, declared, prepare: createStatements(db) };
};

/** A file that is just being made has no tables yet. */
export const hasLeases = (db: Database): boolean => tableExists(db, 'lease');

/** Where the last write was; events that concern it not may be passed over since. */
export const ownCheckpoint = ({ prepare }: ReadModelFile): number =>
  prepare('SELECT checkpoint FROM state').pluck().get() as number;

export const isDropped = (db: Database): boolean => tableExists(db, 'dropped_docs');

/**
 * Whoever still has the file open would go on reading it after it is unlinked, and a new file of that name may hold
 * something else by then. With its tables renamed, their next statement fails. False when it may not be dropped.
 */
export const markDropped = (db: Database, mayDrop: () => boolean = () => true): boolean => {
  const rename = (): boolean => {
    if (isDropped(db)) return true;
    if (!mayDrop()) return false;
    if (!tableExists(db, 'docs')) return true;
    for (const table of ['docs', 'texts', 'state', 'lease']) db.exec(`ALTER TABLE ${table} RENAME TO dropped_${table}`);
    return true;
  };
  return db.transaction(rename).immediate();
};
