import { workerData } from 'node:worker_threads';
import { serveThread } from '../../threads/serve-thread.ts';
import { emptyLog } from '../sqlite/empty-log.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { packVectors, scaleBytes, unpackVectors } from '../../vector-form.ts';
import type { EntryVector } from '../../../ports/search-index.ts';

export interface VectorStoreData {
  readonly file: string;
}

export type VectorStoreCalls = {
  readonly get: (input: { model: string; textHashes: readonly string[] }) => Map<string, Float32Array>;
  readonly put: (input: { model: string; vectors: readonly EntryVector[] }) => void;
  readonly forget: (textHashes: readonly string[]) => void;
};

await serveThread<VectorStoreCalls>(() => {
  const { file } = workerData as VectorStoreData;
  const db = openDatabase({ file, kind: 'vectors', synchronous: 'NORMAL' });
  const create = () => {
    db.exec('CREATE TABLE IF NOT EXISTS models (ordinal INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)');
    db.exec(`CREATE TABLE IF NOT EXISTS vectors (
      text_hash TEXT NOT NULL, model INTEGER NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (text_hash, model)) WITHOUT ROWID`);
  };
  db.transaction(create).immediate();
  const findModel = db.prepare<[string], number>('SELECT ordinal FROM models WHERE name = ?').pluck();
  const addModel = db.prepare('INSERT INTO models (name) VALUES (?)');
  const find = db
    .prepare<[string, number], Buffer>('SELECT vector FROM vectors WHERE text_hash = ? AND model = ?')
    .pluck();
  const save = db.prepare('INSERT OR REPLACE INTO vectors (text_hash, model, vector) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM vectors WHERE text_hash = ?');

  const get = db.transaction((name: string, textHashes: readonly string[]) => {
    const found = new Map<string, Float32Array>();
    const model = findModel.get(name);
    if (model === undefined) return found;
    for (const textHash of textHashes) {
      const packed = find.get(textHash, model);
      if (packed !== undefined) found.set(textHash, unpackVectors(packed, packed.length - scaleBytes)[0]!);
    }
    return found;
  });
  const put = db.transaction((name: string, vectors: readonly EntryVector[]) => {
    const model = findModel.get(name) ?? Number(addModel.run(name).lastInsertRowid);
    for (const { textHash, vector } of vectors) save.run(textHash, model, packVectors([vector]));
  });
  const forget = db.transaction((textHashes: readonly string[]) => {
    for (const textHash of textHashes) remove.run(textHash);
  });

  return {
    calls: {
      get: ({ model, textHashes }) => get(model, textHashes),
      put: ({ model, vectors }) => put.immediate(model, vectors),
      forget: (textHashes) => {
        forget.immediate(textHashes);
        emptyLog(db); // which holds older versions of the pages
      },
    },
    close: () => void db.close(),
  };
});
