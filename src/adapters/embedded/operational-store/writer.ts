import type { Lease } from '../../../ports/leases.ts';
import type { TransactionOutcome } from '../../../ports/operational-store.ts';
import { columnOf, type DeclaredIndexes, type StoredKey } from '../sqlite/declared-index.ts';
import type { Database } from '../sqlite/open-database.ts';
import { collectionTables, unexpiredSql } from './tables.ts';
import type { SqliteLeases } from '../sqlite/leases.ts';
import { createStatements } from '../sqlite/statements.ts';
import { limitSql } from '../sqlite/limit.ts';

/** A change as it crosses to the writer thread: serialised and checked. */
export type EncodedChange =
  | {
      readonly kind: 'put';
      readonly collection: string;
      readonly id: string;
      readonly body: string;
      readonly keys: readonly StoredKey[];
      readonly expected: number | undefined;
      readonly expiresAtMs: number | undefined;
      readonly stampsMs: Readonly<Record<string, number>> | undefined;
    }
  | {
      readonly kind: 'delete';
      readonly collection: string;
      readonly id: string;
      readonly expected: number | undefined;
    };

export interface EncodedTransaction {
  readonly changes: readonly EncodedChange[];
  readonly lease: Lease | undefined;
  readonly nowMs: number;
  /** By the clock of the machine, which this thread has too: how long the call has waited. */
  readonly sentMs: number;
}

export interface OpsWriter {
  readonly declare: (name: string, declared: DeclaredIndexes) => void;
  /** Outside the transaction: what throws inside is taken for a failure of the file. */
  readonly requireDeclared: (transaction: EncodedTransaction) => void;
  readonly transact: (transaction: EncodedTransaction) => TransactionOutcome;
  readonly removeExpired: (limit: number, nowMs: number) => number;
}

type EncodedPut = Extract<EncodedChange, { kind: 'put' }>;

interface CollectionStatements {
  readonly fields: readonly string[];
  readonly revision: (id: string, nowMs: number) => number;
  readonly put: (change: EncodedPut, revision: number) => void;
  readonly remove: (id: string) => void;
}

/** Thrown inside a savepoint, so that what the transaction has already written is undone. */
const revisionConflict = Symbol('revision conflict');

const createCollectionStatements = (db: Database, { table, fields }: DeclaredIndexes): CollectionStatements => {
  const columns = ['id', 'revision', 'expires_at_ms', 'body', ...fields.map(columnOf)];
  const find = db.prepare(`SELECT revision FROM "${table}" WHERE id = ? AND ${unexpiredSql}`).pluck();
  // Not OR REPLACE, which takes the row out of the table and of every index first: that costs a quarter more.
  const put = db.prepare(
    `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${columns
       .slice(1)
       .map((column) => `${column} = excluded.${column}`)
       .join(', ')}`,
  );
  const remove = db.prepare(`DELETE FROM "${table}" WHERE id = ?`);
  return {
    fields,
    revision: (id, nowMs) => (find.get(id, nowMs) as number | undefined) ?? 0,
    put: ({ id, expiresAtMs, body, keys }, revision) => void put.run(id, revision, expiresAtMs ?? null, body, ...keys),
    remove: (id) => void remove.run(id),
  };
};

/** With the fields that count from now on. */
const stampedPut = (change: EncodedPut, fields: readonly string[], nowMs: number): EncodedPut => {
  const { stampsMs, body, keys } = change;
  if (stampsMs === undefined) return change;
  const stamped = Object.fromEntries(Object.entries(stampsMs).map(([field, ms]) => [field, nowMs + ms]));
  return {
    ...change,
    body: JSON.stringify({ ...(JSON.parse(body) as object), ...stamped }),
    keys: keys.map((key, index) => stamped[fields[index]!] ?? key),
  };
};

/** The statements that change the operational tables. They run inside a transaction of the caller. */
export const createOpsWriter = (db: Database, leases: SqliteLeases): OpsWriter => {
  const collections = new Map<string, CollectionStatements>();
  const prepare = createStatements(db);

  const known = (name: string): CollectionStatements => {
    const collection = collections.get(name);
    if (!collection) throw new Error(`The writer does not know the collection ${name}.`);
    return collection;
  };

  const apply = (change: EncodedChange, nowMs: number, waitedMs: number): void => {
    const collection = known(change.collection);
    const revision = collection.revision(change.id, nowMs);
    if (change.expected !== undefined && change.expected !== revision) throw revisionConflict;
    if (change.kind === 'put') collection.put(stampedPut(change, collection.fields, nowMs + waitedMs), revision + 1);
    else collection.remove(change.id);
  };
  const applyAll = db.transaction((changes: readonly EncodedChange[], nowMs: number, waitedMs: number) => {
    for (const change of changes) apply(change, nowMs, waitedMs);
  });

  return {
    declare: (name, declared) => {
      collections.set(name, createCollectionStatements(db, declared));
    },
    requireDeclared: ({ changes }) => {
      for (const { collection } of changes) known(collection);
    },
    transact: ({ changes, lease, nowMs, sentMs }) => {
      if (lease && !leases.isHeld(lease)) return 'stale_lease';
      try {
        applyAll(changes, nowMs, Math.max(0, Date.now() - sentMs));
        return 'written';
      } catch (error) {
        if (error === revisionConflict) return 'revision_conflict';
        throw error;
      }
    },
    removeExpired: (limit, nowMs) => {
      let removed = 0;
      for (const table of collectionTables(db)) {
        if (removed >= limit) break;
        const { changes } = prepare(
          `DELETE FROM "${table}" WHERE rowid IN
           (SELECT rowid FROM "${table}" WHERE expires_at_ms <= ? ORDER BY expires_at_ms ${limitSql})`,
        ).run(nowMs, limit - removed);
        removed += changes;
      }
      return removed;
    },
  };
};
