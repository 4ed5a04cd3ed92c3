import type { PointerSwitch } from '../../../ports/read-models.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { createStoredIdentity, identityTableSql } from '../sqlite/stored-identity.ts';

/** Which generation of each read model is live, and which event store they were built from. */
export interface ReadPointers {
  readonly all: () => Readonly<Record<string, number>>;
  /** Which ones were live and are no longer, dropped or not. */
  readonly past: (name: string) => number[];
  readonly forget: (name: string, generation: number) => void;
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
      db.exec(`CREATE TABLE IF NOT EXISTS past_pointer (
        name TEXT NOT NULL, generation INTEGER NOT NULL, PRIMARY KEY (name, generation)) WITHOUT ROWID`);
      db.exec(identityTableSql);
    };
    db.transaction(createTables).immediate();
  }
  const all = db.prepare<[], { name: string; generation: number }>('SELECT name, generation FROM pointer');
  const first = db.prepare('INSERT INTO pointer (name, generation) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const next = db.prepare('UPDATE pointer SET generation = ? WHERE name = ? AND generation = ?');
  // Made when they are used: a file that was made before there were these rows can still be read.
  const findPast = () => db.prepare('SELECT generation FROM past_pointer WHERE name = ?').pluck();
  const addPast = () => db.prepare('INSERT INTO past_pointer (name, generation) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const removePast = () => db.prepare('DELETE FROM past_pointer WHERE name = ? AND generation = ?');
  const notExpected = new Error('another generation is live');
  const switchAll = db.transaction((switches: readonly PointerSwitch[]) => {
    for (const { name, expected, generation } of switches) {
      const { changes } = expected === null ? first.run(name, generation) : next.run(generation, name, expected);
      if (changes !== 1) throw notExpected; // takes back those before it
      if (expected !== null) addPast().run(name, expected);
      removePast().run(name, generation); // it may be live for the second time
    }
  });
  const identity = createStoredIdentity(db, 'These read models');

  return {
    all: () => Object.fromEntries(all.all().map(({ name, generation }) => [name, generation])),
    past: (name) => findPast().all(name) as number[],
    forget: (name, generation) => void removePast().run(name, generation),
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
