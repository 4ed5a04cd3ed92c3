import type { Document, IndexFields } from '../../../kernel/projection.ts';
import { checkedIndexFields, refusedKey } from '../../checked-indexes.ts';

/** What a key column holds. */
export type StoredKey = string | number;

/** The indexes of one table, checked, and the columns they need. */
export interface DeclaredIndexes {
  /** What error messages call it: `read model release-feed`. */
  readonly owner: string;
  readonly table: string;
  readonly indexes: Readonly<Record<string, IndexFields>>;
  /** Each indexed field once. */
  readonly fields: readonly string[];
}

// SQLite never compares NULL, so a keyset over nulls would need a disjunction that no index range covers. Null is stored
// as -Infinity instead: no JSON value equals it, and it sorts below every number, as SQLite sorts numbers below texts.
const storedNull = Number.NEGATIVE_INFINITY;

const toStoredKey = (value: unknown): StoredKey | undefined => {
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
  return value === null ? storedNull : undefined;
};

export const storedKey = (value: unknown, where: string): StoredKey => {
  const key = toStoredKey(value);
  if (key === undefined) throw refusedKey(value, where);
  return key;
};

export const declareIndexes = (
  owner: string,
  table: string,
  indexes: Readonly<Record<string, IndexFields>>,
): DeclaredIndexes => {
  const fields = checkedIndexFields({ owner, indexes });
  if (new Set(fields.map((field) => field.toLowerCase())).size !== fields.length) {
    throw new Error(`${owner} has indexed fields that differ only in case, which SQLite takes for the same column`);
  }
  return { owner, table, indexes, fields };
};

export const columnOf = (field: string): string => (field === 'id' ? 'id' : `"key_${field}"`);

/** No type, so that no value is converted on the way in; the default serves rows that are older than the column. */
export const columnDefinition = (field: string): string => `${columnOf(field)} NOT NULL DEFAULT -9e999`;

/** Named by its fields: indexes of the same fields are one, and changed fields are another index. */
export const sqliteIndexOf = (table: string, fields: IndexFields): string => `"${table}(${fields.join(',')})"`;

/** `carried` are columns that a reader finds beside the keys, without the row itself. */
export const createIndexSql = (table: string, fields: IndexFields, carried: readonly string[] = []): string => {
  const columns = [...[...fields, 'id'].map(columnOf), ...carried];
  return `CREATE INDEX IF NOT EXISTS ${sqliteIndexOf(table, fields)} ON "${table}" (${columns.join(', ')})`;
};

/** What the key columns of a document hold, in the order of the fields. */
export const storedKeysOf = (declared: DeclaredIndexes, doc: Document, fields = declared.fields): StoredKey[] => {
  const values: Readonly<Record<string, unknown>> = doc;
  return fields.map((field) => {
    const key = toStoredKey(values[field]);
    if (key === undefined) throw refusedKey(values[field], `field ${field} of document ${doc.id} in ${declared.owner}`);
    return key;
  });
};
