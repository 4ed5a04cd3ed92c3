import type { Document, IndexFields, KeyValue } from '../../kernel/projection.ts';
import { checkedIndexFields, refusedKey } from '../checked-indexes.ts';

/** What a key holds in the database. */
export type StoredKey = string | number;

/** The indexes of one collection, checked, and the keys they need. */
export interface DeclaredIndexes {
  /** What error messages call it: `read model release-feed`. */
  readonly owner: string;
  readonly indexes: Readonly<Record<string, IndexFields>>;
  /** Each indexed field once. */
  readonly fields: readonly string[];
}

// A comparison with null in MongoDB also means fields that are missing, and $lte leaves null out. Null is stored as
// -Infinity instead: no JSON value equals it, and it sorts below every number, as MongoDB sorts numbers below strings.
const storedNull = Number.NEGATIVE_INFINITY;

export const storedKey = (value: unknown, where: () => string): StoredKey => {
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
  if (value === null) return storedNull;
  throw refusedKey(value, where());
};

export const keyValueOf = (key: StoredKey): KeyValue => (key === storedNull ? null : key);

export const declareIndexes = (owner: string, indexes: Readonly<Record<string, IndexFields>>): DeclaredIndexes => ({
  owner,
  indexes,
  fields: checkedIndexFields({ owner, indexes }),
});

/** Where a document holds the key of a field. */
export const keyPath = (field: string): string => (field === 'id' ? '_id' : `keys.${field}`);

/** Named by its fields: indexes of the same fields are one, and changed fields are another index. */
export const indexName = (fields: IndexFields): string => fields.join(',');

/** What the index is made of in the database, as a list of paths. */
export const indexPaths = (fields: IndexFields): string[] => [...fields, 'id'].map(keyPath);

export type StoredKeys = Readonly<Record<string, StoredKey>>;

/** The keys of the given fields of a document. */
export const storedKeysOf = (
  declared: DeclaredIndexes,
  doc: Document | Readonly<Record<string, unknown>>,
  fields = declared.fields,
): StoredKeys => {
  const values = doc as Readonly<Record<string, unknown>>;
  const where = (field: string) => () => `field ${field} of document ${String(values['id'])} in ${declared.owner}`;
  return Object.fromEntries(fields.map((field) => [field, storedKey(values[field], where(field))]));
};
