import { workerData } from 'node:worker_threads';
import { serveThread } from '../../threads/serve-thread.ts';
import { emptyLog } from '../sqlite/empty-log.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { packVectors, scaleBytes, unpackVectors } from '../../vector-form.ts';
import type { EntryVector, HeldTexts, LeftTexts } from '../../../ports/search-index.ts';

export interface VectorStoreData {
  readonly file: string;
}

export type VectorStoreCalls = {
  readonly get: (input: { model: string; textHashes: readonly string[] }) => Map<string, Float32Array>;
  readonly put: (input: { model: string; vectors: readonly EntryVector[] }) => void;
  readonly hold: (held: readonly HeldTexts[]) => void;
  readonly forget: (left: readonly LeftTexts[]) => void;
};

await serveThread<VectorStoreCalls>(() => {
  const { file } = workerData as VectorStoreData;
  const db = openDatabase({ file, kind: 'vectors', synchronous: 'NORMAL' });
  const create = () => {
    db.exec('CREATE TABLE IF NOT EXISTS models (ordinal INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)');
    db.exec(`CREATE TABLE IF NOT EXISTS vectors (
      text_hash TEXT NOT NULL, model INTEGER NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (text_hash, model)) WITHOUT ROWID`);
    db.exec(`CREATE TABLE IF NOT EXISTS held_texts (
      holder TEXT NOT NULL, text_hash TEXT NOT NULL, PRIMARY KEY (holder, text_hash)) WITHOUT ROWID`);
    db.exec('CREATE INDEX IF NOT EXISTS "held_texts(text_hash)" ON held_texts (text_hash)');
  };
  db.transaction(create).immediate();
  const findModel = db.prepare<[string], number>('SELECT ordinal FROM models WHERE name = ?').pluck();
  const addModel = db.prepare('INSERT INTO models (name) VALUES (?)');
  const find = db
    .prepare<[string, number], Buffer>('SELECT vector FROM vectors WHERE text_hash = ? AND model = ?')
    .pluck();
  const save = db.prepare('INSERT OR REPLACE INTO vectors (text_hash, model, vector) VALUES (?, ?, ?)');
  const saveHeld = db.prepare('INSERT OR IGNORE INTO held_texts (holder, text_hash) VALUES (?, ?)');
  const findHeld = db.prepare<[string], string>('SELECT text_hash FROM held_texts WHERE holder = ?').pluck();
  const removeHeld = db.prepare('DELETE FROM held_texts WHERE holder = ? AND text_hash = ?');
  const removeUnheld = db.prepare(
    'DELETE FROM vectors WHERE text_hash = ? AND NOT EXISTS (SELECT 1 FROM held_texts held WHERE held.text_hash = vectors.text_hash)',
  );

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
  const hold = db.transaction((held: readonly HeldTexts[]) => {
    for (const { holder, textHashes } of held) for (const hash of textHashes) saveHeld.run(holder, hash);
  });
  /** How many vectors went. */
  const forget = db.transaction((left: readonly LeftTexts[]): number => {
    const gone = new Set<string>();
    for (const { holder, textHashes, formerHashes } of left) {
      const present = new Set(textHashes);
      const known = textHashes === null ? [] : findHeld.all(holder);
      for (const hash of [...known, ...formerHashes]) {
        if (present.has(hash)) continue;
        removeHeld.run(holder, hash);
        gone.add(hash);
      }
    }
    return [...gone].reduce((sum, hash) => sum + removeUnheld.run(hash).changes, 0);
  });

  /** Whether the log may hold vectors that were forgotten; whoever was here before may have been killed in between. */
  let hasRemains = true;

  return {
    calls: {
      get: ({ model, textHashes }) => get(model, textHashes),
      put: ({ model, vectors }) => put.immediate(model, vectors),
      hold: (held) => hold.immediate(held),
      forget: (left) => {
        if (forget.immediate(left) > 0) hasRemains = true;
        if (!hasRemains) return;
        emptyLog(db); // which holds older versions of the pages
        hasRemains = false;
      },
    },
    close: () => void db.close(),
  };
});
