import type { SearchChange, SearchDocument, SearchKind } from '../../../ports/search-index.ts';
import { storedTokens } from '../../../search/words/stored-tokens.ts';
import type { Database } from '../sqlite/open-database.ts';
import type { NumberedNames } from './numbered-names.ts';
import { signCode } from './codes/sign-codes.ts';
import { packVectors, unitOf } from '../../vector-form.ts';
import { sourceWord, wordsRowOf } from './words-row.ts';

type VectorsChange = Extract<SearchChange, { kind: 'vectors' }>;

interface DocRow {
  readonly ordinal: number;
  readonly words_row: number;
  readonly position: number;
  readonly model: number;
}

export interface DocumentWriterOptions {
  readonly db: Database;
  readonly kind: SearchKind;
  readonly names: NumberedNames;
  /** The number of the next change of codes. */
  readonly nextChange: () => number;
}

/** The documents of one kind. Words are written at the end of a transaction, all of them in the order of their rows. */
export interface DocumentWriter {
  readonly begin: () => void;
  readonly put: (doc: SearchDocument, position: number) => void;
  readonly remove: (id: string, position: number) => void;
  readonly putVectors: (change: VectorsChange) => void;
  /** True when it took away words, of which something may be left in the file. */
  readonly writeWords: () => boolean;
}

const noCodes = Buffer.alloc(0);
const noModel = 0;
const noSpace = 0;

export function createDocumentWriter({ db, kind, names, nextChange }: DocumentWriterOptions): DocumentWriter {
  const docs = `docs_${kind}`;
  const words = `words_${kind}`;
  const find = db.prepare<[string], DocRow>(`SELECT ordinal, words_row, position, model FROM ${docs} WHERE id = ?`);
  const takeFree = db
    .prepare<[], number>(
      `DELETE FROM free_${kind} WHERE ordinal = (SELECT min(ordinal) FROM free_${kind}) RETURNING ordinal`,
    )
    .pluck();
  const addFree = db.prepare(`INSERT INTO free_${kind} (ordinal) VALUES (?)`);
  const nextOrdinal = db.prepare<[], number>(`SELECT coalesce(max(ordinal), 0) + 1 FROM ${docs}`).pluck();
  const insert = db.prepare(
    `INSERT INTO ${docs} (words_row, source, published_ms, is_coverage, is_bare, position, model, ordinal, id)
     VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)`,
  );
  const update = db.prepare(
    `UPDATE ${docs} SET words_row = ?, source = ?, published_ms = ?, is_coverage = ?, is_bare = ?, position = ?,
       model = 0 WHERE ordinal = ?`,
  );
  const removeDoc = db.prepare(`DELETE FROM ${docs} WHERE ordinal = ?`);
  const saveModel = db.prepare(`UPDATE ${docs} SET model = ? WHERE ordinal = ?`);
  const saveCodes = db.prepare(
    `INSERT INTO codes_${kind} (ordinal, change, space, codes) VALUES (?, ?, ?, ?) ON CONFLICT (ordinal)
     DO UPDATE SET change = excluded.change, space = excluded.space, codes = excluded.codes`,
  );
  const saveVectors = db.prepare(`INSERT OR REPLACE INTO vectors_${kind} (ordinal, vectors) VALUES (?, ?)`);
  const removeVectors = db.prepare(`DELETE FROM vectors_${kind} WHERE ordinal = ?`);
  // Numbers of this size are bound as fractions, by which FTS5 would look through all rows.
  const removeWords = db.prepare(`DELETE FROM ${words} WHERE rowid = CAST(? AS INTEGER)`);
  const insertWords = db.prepare(`INSERT INTO ${words} (rowid, title, names, body, source) VALUES (?, ?, ?, ?, ?)`);

  const saveHashes = db.prepare(`INSERT OR REPLACE INTO hashes_${kind} (ordinal, hashes) VALUES (?, ?)`);
  const removeHashes = db.prepare(`DELETE FROM hashes_${kind} WHERE ordinal = ?`);

  let removed = new Set<number>();
  let added = new Map<number, { readonly doc: SearchDocument; readonly source: number }>();

  const takeWordsAway = (row: number): void => {
    if (!added.delete(row)) removed.add(row);
  };
  const takeVectorsAway = ({ ordinal, model }: DocRow): void => {
    if (model === noModel) return;
    saveCodes.run(ordinal, nextChange(), noSpace, noCodes);
    removeVectors.run(ordinal);
  };
  const writeHashes = (ordinal: number, textHashes: readonly string[]): void => {
    if (textHashes.length === 0) removeHashes.run(ordinal);
    else saveHashes.run(ordinal, textHashes.join('\n'));
  };
  const inOrder = (rows: Iterable<number>): number[] => [...rows].sort((a, b) => a - b);
  const joined = (text: string): string => storedTokens(text).join(' ');

  return {
    begin: () => {
      removed = new Set();
      added = new Map();
    },
    put: (doc, position) => {
      const before = find.get(doc.id);
      if (before !== undefined && before.position > position) return;
      const ordinal = before?.ordinal ?? takeFree.get() ?? (nextOrdinal.get() as number);
      const row = wordsRowOf(ordinal, doc.publishedMs);
      const source = names.source(doc.sourceId);
      const fields = [row, source, doc.publishedMs, doc.isCoverage ? 1 : 0, doc.isBare ? 1 : 0, position];
      if (before === undefined) insert.run(...fields, ordinal, doc.id);
      else {
        update.run(...fields, ordinal);
        takeWordsAway(before.words_row);
        takeVectorsAway(before);
      }
      writeHashes(ordinal, doc.textHashes);
      added.set(row, { doc, source });
    },
    remove: (id, position) => {
      const before = find.get(id);
      if (before === undefined || before.position > position) return;
      removeDoc.run(before.ordinal);
      removeHashes.run(before.ordinal);
      addFree.run(before.ordinal);
      takeWordsAway(before.words_row);
      takeVectorsAway(before);
    },
    putVectors: ({ id, position, space, model, entries }) => {
      const before = find.get(id);
      if (before === undefined || before.position !== position) return;
      const meant = entries.filter(({ vector }) => vector.length > 0);
      const vectors = meant.flatMap(({ vector }) => unitOf(vector) ?? []);
      const dimensions = meant[0]?.vector.length ?? 0;
      if (meant.some(({ vector }) => vector.length !== dimensions)) {
        throw new Error(`the vectors of ${id} are not all of the same dimensions`);
      }
      const made = names.model(model, names.space(space, dimensions));
      saveModel.run(made.ordinal, before.ordinal);
      saveCodes.run(before.ordinal, nextChange(), made.space, Buffer.concat(vectors.map(signCode)));
      saveVectors.run(before.ordinal, packVectors(vectors));
      writeHashes(
        before.ordinal,
        entries.map(({ textHash }) => textHash),
      );
    },
    writeWords: () => {
      // Where rows do not rise, FTS5 writes to the file what it has gathered in memory.
      for (const row of inOrder(removed)) removeWords.run(row);
      for (const row of inOrder(added.keys())) {
        const { doc, source } = added.get(row)!;
        const { title, names: called, body } = doc.texts;
        insertWords.run(row, joined(title), joined(called), joined(body), sourceWord(source));
      }
      return removed.size > 0;
    },
  };
}
