import type { Database } from '../sqlite/open-database.ts';

/**
 * A truncated event keeps its row and loses its text (type, metadata and data are empty). Rows are never deleted:
 * deleting makes SQLite move neighbours between pages, and their old copies stay in the file even with
 * `secure_delete`. For the same reason there are no foreign keys: with them an update deletes the row first. Without
 * both, rows only ever grow at the end, a row that shrinks is overwritten where it lies, and erased text is gone.
 *
 * The type stands before the texts, so that a reader of other types does not load their pages.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    first_version INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream INTEGER NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    metadata TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (stream, version),
    UNIQUE (stream, id)
  ) STRICT;
`;

export function createEventTables(db: Database): void {
  db.transaction(() => db.exec(schema)).immediate();
}
