import type { PointerSwitch, RefusedSwitch } from '../../../ports/read-models.ts';
import { createDataVersion } from '../sqlite/data-version.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { createStoredIdentity, identityTableSql } from '../sqlite/stored-identity.ts';

/** Which generation of each read model is live, and which event store they were built from. */
export interface ReadPointers {
  readonly all: () => Readonly<Record<string, number>>;
  /** Which ones were live and are no longer, dropped or not. */
  readonly past: (name: string) => number[];
  /**
   * Has it marked as dropped while nobody can switch to it, and forgets that it was live; false when the marking, which is
   * told whether it is live now, says so.
   */
  readonly drop: (name: string, generation: number, mark: (isLive: boolean) => boolean) => boolean;
  /** All or none: the first that is refused, also because it is not there. */
  readonly switch: (
    switches: readonly PointerSwitch[],
    isThere: (one: PointerSwitch) => boolean,
  ) => RefusedSwitch | null;
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
  const live = db.prepare<[string], number>('SELECT generation FROM pointer WHERE name = ?').pluck();
  const save = db.prepare('INSERT OR REPLACE INTO pointer (name, generation) VALUES (?, ?)');
  // Made when they are used: a file that was made before there were these rows can still be read.
  const findPast = () => db.prepare('SELECT generation FROM past_pointer WHERE name = ?').pluck();
  const addPast = () => db.prepare('INSERT INTO past_pointer (name, generation) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const removePast = () => db.prepare('DELETE FROM past_pointer WHERE name = ? AND generation = ?');
  const isChanged = ({ name, expected }: PointerSwitch): boolean => (live.get(name) ?? null) !== expected;
  const switchAll = db.transaction((...[switches, isThere]: Parameters<ReadPointers['switch']>) => {
    for (const one of switches) {
      if (isChanged(one)) return { name: one.name, reason: 'changed' } as const;
      if (!isThere(one)) return { name: one.name, reason: 'gone' } as const;
    }
    for (const { name, expected, generation } of switches) {
      save.run(name, generation);
      if (expected !== null) addPast().run(name, expected);
      removePast().run(name, generation); // it may be live for the second time
    }
    return null;
  });
  const dropOne = db.transaction((...[name, generation, mark]: Parameters<ReadPointers['drop']>) => {
    if (!mark(live.get(name) === generation)) return false;
    removePast().run(name, generation); // before the file is gone: its number may be used again
    return true;
  });
  const identity = createStoredIdentity(db, 'These read models');
  const dataVersion = createDataVersion(db);
  // Asked with every request: to learn that nobody has switched costs less than to read them.
  let kept: { readonly version: number; readonly pointers: Readonly<Record<string, number>> } | null = null;

  return {
    all: () => {
      const version = dataVersion();
      if (kept?.version !== version) {
        const pointers = Object.fromEntries(all.all().map(({ name, generation }) => [name, generation]));
        kept = { version, pointers };
      }
      return kept.pointers;
    },
    past: (name) => findPast().all(name) as number[],
    drop: (name, generation, mark) => dropOne.immediate(name, generation, mark),
    switch: (switches, isThere) => {
      kept = null; // what this connection writes does not change its version
      return switchAll.immediate(switches, isThere);
    },
    identity: identity.get,
    setIdentity: identity.set,
    close: () => db.close(),
  };
};
