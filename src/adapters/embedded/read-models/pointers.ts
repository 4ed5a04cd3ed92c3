import type { PointerSwitch } from '../../../ports/read-models.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { createStoredIdentity, identityTableSql } from '../sqlite/stored-identity.ts';

/** Which generation of each read model is live, and which event store they were built from. */
export interface ReadPointers {
  readonly all: () => Readonly<Record<string, number>>;
  /** All or none. */
  readonly switch: (switches: readonly PointerSwitch[]) => boolean;
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
  const notExpected = new Error('another generation is live');
  const switchAll = db.transaction((switches: readonly PointerSwitch[]) => {
    for (const { name, expected, generation } of switches) {
      const { changes } = expected === null ? first.run(name, generation) : next.run(generation, name, expected);
      if (changes !== 1) throw notExpected; // takes back those before it
    }
  });
  const identity = createStoredIdentity(db, 'These read models');

  return {
    all: () => Object.fromEntries(all.all().map(({ name, generation }) => [name, generation])),
    switch: (switches) => {
      try {
        switchAll.immediate(switches);
        return true;
      } catch (error) {
        if (error === notExpected) return false;
        throw error;
      }
    },
    identity: identity.get,
    setIdentity: identity.set,
    close: () => db.close(),
  };
};
