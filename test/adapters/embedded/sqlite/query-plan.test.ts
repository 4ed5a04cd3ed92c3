import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { declareIndexes } from '../../../../src/adapters/embedded/sqlite/declared-index.ts';
import { indexRun, whereSql } from '../../../../src/adapters/embedded/sqlite/index-run.ts';
import { documentsSql } from '../../../../src/adapters/embedded/read-models/read-model.ts';
import {
  bodySql,
  deletedTableSql,
  documentIndexSql,
  documentTableSql,
  positionIndexSql,
} from '../../../../src/adapters/embedded/read-models/file.ts';
import { textsTableSql } from '../../../../src/adapters/embedded/read-models/texts.ts';
import type { KeyValue } from '../../../../src/kernel/projection.ts';
import type { IndexQuery } from '../../../../src/ports/read-models.ts';

const declared = declareIndexes('test', 'docs', { wide: ['a', 'b', 'c'], other: ['b', 'a'], single: ['c'] });
const fields = ['a', 'b', 'c'] as const;

/** Every shape a query of the index can have. */
const shapes = [0, 1, 2, 3].flatMap((fixed) =>
  (['ascending', 'descending'] as const).flatMap((direction) =>
    [false, true].flatMap((keyset) =>
      [false, true].flatMap((lower) => [false, true].map((upper) => ({ fixed, direction, keyset, lower, upper }))),
    ),
  ),
);

describe('plans of index queries', () => {
  let db: Sqlite.Database;

  beforeEach(() => {
    db = new Sqlite(':memory:');
    const indexes = Object.values(declared.indexes).map(documentIndexSql);
    for (const sql of [...documentTableSql(declared), ...indexes, positionIndexSql]) db.exec(sql);
    for (const sql of [textsTableSql, ...deletedTableSql]) db.exec(sql);
  });
  afterEach(() => {
    db.close();
  });

  const planOf = (sql: string, parameters: readonly unknown[]): string[] =>
    (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[]).map(({ detail }) => detail);

  it.each(shapes)('one range of the index, in its order: %o', ({ fixed, direction, keyset, lower, upper }) => {
    const after: KeyValue[] = [...fields.slice(fixed).map(() => 1), 'id'];
    const query: Omit<IndexQuery, 'limit'> = {
      index: 'wide',
      equals: Object.fromEntries(fields.slice(0, fixed).map((field) => [field, 1])),
      direction,
      ...(keyset && { after }),
      ...(lower && { from: 0 }),
      ...(upper && { to: 2 }),
    };
    const { source, terms, parameters, order } = indexRun(declared, query);
    const sql = `SELECT ${bodySql} FROM ${source}${whereSql(terms)} ORDER BY ${order} LIMIT 20`;
    const plan = planOf(sql, parameters);
    // A sort or a second index would be a line of its own; the text is found by its number, which the index tells.
    expect(plan.slice(1)).toEqual(['CORRELATED SCALAR SUBQUERY 1', 'SEARCH texts USING INTEGER PRIMARY KEY (rowid=?)']);
    const constrained = fixed > 0 || keyset || lower || upper;
    expect(plan[0]).toMatch(
      constrained ? /^SEARCH docs USING COVERING INDEX docs\(a,b,c\)/ : /^SCAN docs USING COVERING INDEX docs\(a,b,c\)/,
    );
    // The keyset opens the range, whole: a page far down costs what the first one costs.
    const sign = direction === 'ascending' ? '>' : '<';
    if (keyset) expect(plan[0]).toContain(after.length === 1 ? `id${sign}?` : `,id)${sign}(`);
  });

  it.each([
    [documentsSql.get, ['["a"]'], 'SEARCH docs USING COVERING INDEX docs(id) (id=?)'],
    [documentsSql.scan, ['a', 20], 'SEARCH docs USING INDEX docs(id) (id>?)'],
    [
      documentsSql.deletedAfter,
      [1, 'a', 20],
      'SEARCH deleted USING COVERING INDEX deleted(position) ((position,id)>(?,?))',
    ],
    [documentsSql.changedAfter, [1, 'a', 20], 'SEARCH docs USING COVERING INDEX docs(position) ((position,id)>(?,?))'],
  ])('%s', (sql, parameters, expected) => {
    const plan = planOf(sql, parameters);
    expect(plan[0]).toBe(expected);
    expect(plan.join()).not.toContain('TEMP B-TREE');
  });

  it('reads all as it lies in the file, and no more of it than a page', () => {
    expect(planOf(documentsSql.readAll, [0, 20])).toEqual([
      'CO-ROUTINE (subquery-1)',
      'SEARCH docs USING INTEGER PRIMARY KEY (rowid>?)',
      'SEARCH texts USING INTEGER PRIMARY KEY (rowid=?)',
      'SCAN (subquery-1)',
    ]);
  });
});
