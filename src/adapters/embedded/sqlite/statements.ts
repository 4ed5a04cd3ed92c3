import type { Database, Statement } from 'better-sqlite3';

/** Prepares each text once. Texts come from a bounded set of shapes; values are always parameters. */
export const createStatements = (db: Database): ((sql: string) => Statement) => {
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
};
