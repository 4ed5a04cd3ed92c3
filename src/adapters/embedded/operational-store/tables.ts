import type { CollectionDeclaration } from '../../../ports/operational-store.ts';
import { createBusTables } from '../message-bus/tables.ts';
import {
  columnDefinition,
  columnOf,
  createIndexSql,
  type DeclaredIndexes,
  declareIndexes,
  sqliteIndexOf,
  storedKeysOf,
} from '../sqlite/declared-index.ts';
import type { Database } from '../sqlite/open-database.ts';
import { leaseTableSql } from '../sqlite/leases.ts';
import { identityTableSql } from '../sqlite/stored-identity.ts';

const tablePrefix = 'collection_';

/** A document is there until its time has come. */
export const unexpiredSql = '(expires_at_ms IS NULL OR expires_at_ms > ?)';

export const declareCollection = ({ name, indexes }: CollectionDeclaration): DeclaredIndexes => {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`${name} cannot be the name of a collection`);
  return declareIndexes(`collection ${name}`, `${tablePrefix}${name}`, indexes);
};

export const createOpsTables = (db: Database): void => {
  const create = () => {
    db.exec(identityTableSql);
    db.exec(leaseTableSql);
    createBusTables(db);
  };
  db.transaction(create).immediate();
};

/** Tables of all collections that were ever declared, by this version or an earlier one. */
export const collectionTables = (db: Database): string[] =>
  db
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '${tablePrefix}*'`)
    .pluck()
    .all();

const fillColumns = (db: Database, declared: DeclaredIndexes, fields: readonly string[]): void => {
  const { table } = declared;
  const select = db.prepare<[string], { id: string; body: string }>(
    `SELECT id, body FROM "${table}" WHERE id > ? ORDER BY id LIMIT 1000`,
  );
  const update = db.prepare(`UPDATE "${table}" SET ${fields.map((f) => `${columnOf(f)} = ?`).join(', ')} WHERE id = ?`);
  let rows = select.all('');
  while (rows.length > 0) {
    for (const { id, body } of rows) update.run(...storedKeysOf(declared, JSON.parse(body), fields), id);
    rows = select.all(rows.at(-1)?.id ?? '');
  }
};

/**
 * Makes the table as declared. Unlike read models these documents are never rebuilt, so an index that a new version
 * declares is filled from what is stored, and what it no longer declares is taken away, not left to grow stale.
 */
export const createCollectionTable = (db: Database, declared: DeclaredIndexes): void => {
  const { table, fields, indexes } = declared;
  const create = () => {
    db.exec(
      `CREATE TABLE IF NOT EXISTS "${table}"
       (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, expires_at_ms INTEGER, body TEXT NOT NULL)`,
    );
    db.exec(
      `CREATE INDEX IF NOT EXISTS "${table} expiry" ON "${table}" (expires_at_ms) WHERE expires_at_ms IS NOT NULL`,
    );
    const wantedIndexes = new Set(Object.values(indexes).map((index) => sqliteIndexOf(table, index)));
    const wantedColumns = new Set(fields.map(columnOf));
    const indexNames = db
      .prepare<[string], string>(`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?`)
      .pluck()
      .all(table);
    for (const name of indexNames) {
      if (name.startsWith(`${table}(`) && !wantedIndexes.has(`"${name}"`)) db.exec(`DROP INDEX "${name}"`);
    }
    const columns = (db.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => `"${name}"`);
    for (const column of columns) {
      if (column.startsWith('"key_') && !wantedColumns.has(column))
        db.exec(`ALTER TABLE "${table}" DROP COLUMN ${column}`);
    }
    const added = fields.filter((field) => !columns.includes(columnOf(field)));
    for (const field of added) db.exec(`ALTER TABLE "${table}" ADD COLUMN ${columnDefinition(field)}`);
    if (added.length > 0) fillColumns(db, declared, added);
    for (const index of Object.values(indexes)) db.exec(createIndexSql(table, index));
  };
  db.transaction(create).immediate();
};
