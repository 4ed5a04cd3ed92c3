import type { Document } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { OperationalChange, OperationalCollection, Stored } from '../../../ports/operational-store.ts';
import { type DeclaredIndexes, storedKeysOf } from '../sqlite/declared-index.ts';
import { checkedLimit } from '../../checked-indexes.ts';
import { indexRun, whereSql } from '../sqlite/index-run.ts';
import type { Database } from '../sqlite/open-database.ts';
import { type RowTurns, turnChars, turnRows } from '../sqlite/row-turns.ts';
import { unexpiredSql } from './tables.ts';
import type { EncodedChange } from './writer.ts';
import { createStatements } from '../sqlite/statements.ts';
import { limitSql } from '../sqlite/limit.ts';

interface Row {
  readonly body: string;
  readonly revision: number;
}

export interface OpsReads {
  readonly db: Database;
  readonly clock: Clock;
  /** Of all collections: whoever reads several of them holds up others all the same. */
  readonly turns: RowTurns;
}

/** Reads of one collection, on the calling thread. */
export const createOpsCollection = <Doc extends Document>(
  { db, clock, turns }: OpsReads,
  declared: DeclaredIndexes,
): OperationalCollection<Doc> => {
  const prepare = createStatements(db);
  const byId = db.prepare(`SELECT body, revision FROM "${declared.table}" WHERE id = ? AND ${unexpiredSql}`);
  const after = db.prepare(
    `SELECT body, expires_at_ms AS expiresAtMs FROM "${declared.table}"
     WHERE id > ? AND ${unexpiredSql} ORDER BY id ${limitSql}`,
  );
  const parse = (row: unknown): Stored<Doc> => {
    const { body, revision } = row as Row;
    return { doc: JSON.parse(body) as Doc, revision };
  };
  const inTurns = <Row>(rows: Row[]): Promise<Row[]> => turns(rows, rows.length);
  /** Those of the first ids, as far as one turn goes; answers how many ids these are. */
  const getSome = db.transaction((ids: readonly string[], found: Stored<Doc>[]) => {
    let [asked, chars] = [0, 0];
    for (const nowMs = clock.nowMs(); asked < Math.min(ids.length, turnRows) && chars < turnChars; asked += 1) {
      const row = byId.get(ids[asked], nowMs) as Row | undefined;
      if (row === undefined) continue;
      found.push(parse(row));
      chars += row.body.length;
    }
    return { asked, chars };
  });
  const getMany = async (ids: readonly string[]): Promise<Stored<Doc>[]> => {
    const found: Stored<Doc>[] = [];
    for (let left = [...new Set(ids)]; left.length > 0; ) {
      const { asked, chars } = getSome(left, found);
      left = await turns(left.slice(asked), asked, chars);
    }
    return found;
  };

  return {
    get: async (id) => (await getMany([id]))[0] ?? null,
    getMany,
    query: async ({ limit, ...range }) => {
      const { source, terms, parameters, order } = indexRun(declared, range);
      const where = whereSql([...terms, unexpiredSql]);
      const select = prepare(`SELECT body, revision FROM ${source}${where} ORDER BY ${order} ${limitSql}`);
      return inTurns(select.all(...parameters, clock.nowMs(), checkedLimit(limit)).map(parse));
    },
    scan: async (afterId, limit) => {
      const rows = after.all(afterId, clock.nowMs(), checkedLimit(limit)).map((row) => {
        const { body, expiresAtMs } = row as { body: string; expiresAtMs: number | null };
        return { doc: JSON.parse(body) as Doc, expiresAtMs };
      });
      return inTurns(rows);
    },
  };
};

/** Everything that can be wrong with a change is told here, to the one who made it. */
export const encodeChange = (change: OperationalChange, declared: DeclaredIndexes): EncodedChange => {
  const { collection, expected } = change;
  if (expected !== undefined && (!Number.isSafeInteger(expected) || expected < 0)) {
    throw new Error(`an expected revision is a whole number from 0 on, not ${expected}`);
  }
  if (change.kind === 'delete') return { kind: 'delete', collection, id: change.id, expected };
  const { doc, expiresAtMs, stampsMs } = change;
  if (typeof doc.id !== 'string' || doc.id === '') throw new Error(`a document of ${declared.owner} has no id`);
  if (expiresAtMs !== undefined && !Number.isFinite(expiresAtMs)) {
    throw new Error(`document ${doc.id} of ${declared.owner} cannot expire at ${expiresAtMs}`);
  }
  const keys = storedKeysOf(declared, doc);
  return { kind: 'put', collection, id: doc.id, body: JSON.stringify(doc), keys, expected, expiresAtMs, stampsMs };
};
