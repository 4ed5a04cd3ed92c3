import { existsSync } from 'node:fs';
import { openDatabase } from '../sqlite/open-database.ts';

export interface PassedOver {
  /** How far a generation is whose own file says `base`. */
  readonly positionOf: (name: string, generation: number, base: number) => number;
  readonly pass: (moves: readonly PassedMove[]) => void;
  readonly forget: (name: string, generation: number) => void;
  readonly close: () => void;
}

export interface PassedMove {
  readonly name: string;
  readonly generation: number;
  readonly base: number;
  readonly position: number;
}

const tableSql = `CREATE TABLE IF NOT EXISTS passed (
  name TEXT NOT NULL, generation INTEGER NOT NULL, base INTEGER NOT NULL, position INTEGER NOT NULL,
  PRIMARY KEY (name, generation)) WITHOUT ROWID`;

const nothingPassed: PassedOver = {
  positionOf: (_name, _generation, base) => base,
  pass: () => {
    throw new Error('These read models were opened readonly.');
  },
  forget: () => undefined,
  close: () => undefined,
};

/**
 * That no event from `base` up to `position` concerns a read model, for all of them in one file: most events concern a few,
 * and a transaction in the file of each other one would cost more than these. It is said of the log, which never changes,
 * so it is true whoever says it; it counts for as long as the file of the read model itself says `base`.
 */
export function openPassedOver(file: string, readonly: boolean): PassedOver {
  if (readonly && !existsSync(file)) return nothingPassed; // made by an older version, or never fed
  const db = openDatabase({ file, synchronous: 'NORMAL', kind: 'passed', readonly });
  if (!readonly) db.exec(tableSql);
  const find = db.prepare<[string, number], { base: number; position: number }>(
    'SELECT base, position FROM passed WHERE name = ? AND generation = ?',
  );
  const save = db.prepare(
    'INSERT OR REPLACE INTO passed (name, generation, base, position) VALUES (@name, @generation, @base, @position)',
  );
  const remove = db.prepare('DELETE FROM passed WHERE name = ? AND generation = ?');

  const positionOf: PassedOver['positionOf'] = (name, generation, base) => {
    const passed = find.get(name, generation);
    return passed?.base === base ? Math.max(base, passed.position) : base;
  };
  const pass = db.transaction((moves: readonly PassedMove[]) => {
    for (const move of moves) if (positionOf(move.name, move.generation, move.base) < move.position) save.run(move);
  });
  return {
    positionOf,
    pass: (moves) => pass.immediate(moves),
    forget: (name, generation) => void remove.run(name, generation),
    close: () => void db.close(),
  };
}
