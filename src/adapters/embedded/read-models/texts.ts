import type { Document } from '../../../kernel/projection.ts';
import type { Database } from '../sqlite/open-database.ts';

/**
 * The documents' texts. A row keeps the size that it was made with: a shorter text is filled up with blanks, and what
 * is overwritten is overwritten where it lies. Rows are only ever added at the end, so SQLite never moves one, and no
 * copy of a text stays behind in the unused part of a page (ops/decisions/0002). A row whose document is gone, or has
 * outgrown it, is blanked and waits in `free_texts` for the next text of its size.
 */
export const textsTableSql = 'CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT NOT NULL)';
export const freeTextsTableSql =
  'CREATE TABLE free_texts (bytes INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (bytes, id)) WITHOUT ROWID';

/** Small documents often grow, and one that outgrows its row is written twice. */
const stepBytesMin = 128;

/** Four sizes between a number and its double: a text fills its row by nine tenths, a small one by less. */
const rowBytesOf = (textBytes: number): number => {
  const step = Math.max(stepBytesMin, 2 ** (Math.floor(Math.log2(textBytes)) - 2));
  return Math.ceil(textBytes / step) * step;
};

/** The text of a document, filled up with blanks, which `JSON.parse` passes over. */
const filledText = (doc: Document): { readonly body: string; readonly bytes: number } => {
  const text = JSON.stringify(doc);
  const textBytes = Buffer.byteLength(text);
  const bytes = rowBytesOf(textBytes);
  return { body: text + ' '.repeat(bytes - textBytes), bytes };
};

export const createTexts = (db: Database) => {
  const insert = db.prepare('INSERT INTO texts (body) VALUES (?)');
  const update = db.prepare('UPDATE texts SET body = ? WHERE id = ?');
  const bytesOf = db.prepare<[number], number>('SELECT octet_length(body) FROM texts WHERE id = ?').pluck();
  const findFree = db.prepare<[number], number>('SELECT id FROM free_texts WHERE bytes = ? LIMIT 1').pluck();
  const addFree = db.prepare('INSERT INTO free_texts (bytes, id) VALUES (?, ?)');
  const removeFree = db.prepare('DELETE FROM free_texts WHERE bytes = ? AND id = ?');

  const place = ({ body, bytes }: ReturnType<typeof filledText>): number => {
    const free = findFree.get(bytes);
    if (free === undefined) return Number(insert.run(body).lastInsertRowid);
    removeFree.run(bytes, free);
    update.run(body, free);
    return free;
  };

  const blank = (id: number, bytes: number): void => {
    update.run(' '.repeat(bytes), id);
    addFree.run(bytes, id);
  };

  return {
    /** Answers the row that the text got. */
    add: (doc: Document): number => place(filledText(doc)),
    /** Answers the row that the text got, which is the same one if it has the right size. */
    replace: (id: number, doc: Document): number => {
      const filled = filledText(doc);
      const bytes = bytesOf.get(id) as number;
      if (bytes === filled.bytes) {
        update.run(filled.body, id);
        return id;
      }
      blank(id, bytes);
      return place(filled);
    },
    free: (id: number): void => blank(id, bytesOf.get(id) as number),
  };
};

export type Texts = ReturnType<typeof createTexts>;
