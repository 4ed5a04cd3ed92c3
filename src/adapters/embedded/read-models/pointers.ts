import { openDatabase } from '../sqlite/open-database.ts';
import { createStoredIdentity, identityTableSql } from '../sqlite/stored-identity.ts';

/** Which generation of each read model is live, and which event store they were built from. */
export interface ReadPointers {
  readonly all: () => Readonly<Record<string, number>>;
  readonly switch: (name: string, expected: number | null, generation: number) => boolean;
  readonly identity: () => string | null;
  readonly setIdentity: (registryId: string) => void;
  readonly close: () => void;
}

export const openReadPointers = (file: string, readonly: boolean): ReadPointers => {
  const db = openDatabase({ file, synchronous: 'NORMAL', readonly, kind: 'pointers' });
  if (!readonly) {
    const createTables = () => {
      db.exec('CREATE TABLE IF NOT EXISTS pointer (name TEXT PRIMARY KEY, generation INTEGER NOT NULL) WITHOUT ROWID');
      db.exec(identityTableSql);
    };
    db.transaction(createTables).immediate();
  }
  const all = db.prepare<[], { name: string; generation: number }>('SELECT name, generation FROM pointer');
  const first = db.prepare('INSERT INTO pointer (name, generation) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const next = db.prepare('UPDATE pointer SET generation = ? WHERE name = ? AND generation = ?');
  const identity = createStoredIdentity(db, 'These read models');

  return {
    all: () => Object.fromEntries(all.all().map(({ name, generation }) => [name, generation])),
    switch: (name, expected, generation) => {
      const { changes } = expected === null ? first.run(name, generation) : next.run(generation, name, expected);
      return changes === 1;
    },
    identity: identity.get,
    setIdentity: identity.set,
    close: () => db.close(),
  };
};
