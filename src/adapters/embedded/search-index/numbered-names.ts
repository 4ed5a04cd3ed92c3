import type { Database } from '../sqlite/open-database.ts';

/** Names of sources, spaces and models become numbers, which documents and codes hold instead. */
export function createNumberedNames(db: Database) {
  const findSource = db.prepare<[string], number>('SELECT ordinal FROM sources WHERE id = ?').pluck();
  const addSource = db.prepare('INSERT INTO sources (id) VALUES (?)');
  const findSpace = db.prepare<[string], { ordinal: number; dimensions: number }>(
    'SELECT ordinal, dimensions FROM spaces WHERE name = ?',
  );
  const addSpace = db.prepare('INSERT INTO spaces (name, dimensions) VALUES (?, ?)');
  const saveDimensions = db.prepare('UPDATE spaces SET dimensions = ? WHERE ordinal = ?');
  const findModel = db.prepare<[string], { ordinal: number; space: number }>(
    'SELECT ordinal, space FROM models WHERE name = ?',
  );
  const addModel = db.prepare('INSERT INTO models (name, space) VALUES (?, ?)');
  return {
    model: (name: string, space: number): { readonly ordinal: number; readonly space: number } => {
      const known = findModel.get(name);
      if (known === undefined) return { ordinal: Number(addModel.run(name, space).lastInsertRowid), space };
      if (known.space === space) return known;
      throw new Error(`the model ${name} makes vectors of another space`);
    },
    source: (id: string): number => findSource.get(id) ?? Number(addSource.run(id).lastInsertRowid),
    /** No dimensions (0) where it is not known yet how many its vectors have. */
    space: (name: string, dimensions: number): number => {
      const known = findSpace.get(name);
      if (known === undefined) return Number(addSpace.run(name, dimensions).lastInsertRowid);
      if (known.dimensions === 0) saveDimensions.run(dimensions, known.ordinal);
      if (known.dimensions === 0 || dimensions === 0 || known.dimensions === dimensions) return known.ordinal;
      throw new Error(`a vector of the space ${name} has ${known.dimensions} dimensions, not ${dimensions}`);
    },
  };
}

export type NumberedNames = ReturnType<typeof createNumberedNames>;
