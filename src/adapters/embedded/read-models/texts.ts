import type { Document } from '../../../kernel/projection.ts';
import type { Database } from '../sqlite/open-database.ts';

/**
 * The documents' texts. A row keeps the size that it was made with: a shorter text is filled up with blanks, and what
 * is overwritten is overwritten where it lies. Rows are only ever added at the end, so SQLite never moves one, and no
 * copy of a text stays behind in the unused part of a page (ops/decisions/0002). A row whose document is gone, or has
 * outgrown it, is blanked and waits in `free_texts` for the next text that fills half of it.
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

interface SizedText {
  readonly text: string;
  readonly textBytes: number;
  /** The smallest row for it. */
  readonly rowBytes: number;
}

const sizedText = (doc: Document): SizedText => {
  const text = JSON.stringify(doc);
  const textBytes = Buffer.byteLength(text);
  return { text, textBytes, rowBytes: rowBytesOf(textBytes) };
};

/** With blanks, which `JSON.parse` passes over. */
const filledUp = ({ text, textBytes }: SizedText, bytes: number): string => text + ' '.repeat(bytes - textBytes);

/** A text may lie in a row of twice the size: so rows are used again by more than those who left them. */
const roomiestOf = ({ rowBytes }: SizedText): number => 2 * rowBytes;

/**
 * Who has outgrown a row gets one of twice its size: so all the rows that a growing document leaves behind, in which no
 * larger one fits, are together no larger than the one that it has.
 */
const afterOutgrown = (outgrownBytes: number, { rowBytes }: SizedText): number =>
  Math.max(rowBytes, rowBytesOf(2 * outgrownBytes));

export const createTexts = (db: Database) => {
  const insert = db.prepare('INSERT INTO texts (body) VALUES (?)');
  const update = db.prepare('UPDATE texts SET body = ? WHERE id = ?');
  const bytesOf = db.prepare<[number], number>('SELECT octet_length(body) FROM texts WHERE id = ?').pluck();
  const findFree = db.prepare<[number, number], { readonly bytes: number; readonly id: number }>(
    'SELECT bytes, id FROM free_texts WHERE bytes BETWEEN ? AND ? ORDER BY bytes LIMIT 1',
  );
  const hasAnyFree = db.prepare('SELECT 1 FROM free_texts LIMIT 1');
  const addFree = db.prepare('INSERT INTO free_texts (bytes, id) VALUES (?, ?)');
  const removeFree = db.prepare('DELETE FROM free_texts WHERE bytes = ? AND id = ?');

  let mayBeFree = true;

  const place = (sized: SizedText, bytes: number): number => {
    const free = mayBeFree ? findFree.get(sized.rowBytes, roomiestOf(sized)) : undefined;
    if (free === undefined) return Number(insert.run(filledUp(sized, bytes)).lastInsertRowid);
    removeFree.run(free.bytes, free.id);
    update.run(filledUp(sized, free.bytes), free.id);
    return free.id;
  };

  const blank = (id: number, bytes: number): void => {
    update.run(' '.repeat(bytes), id);
    addFree.run(bytes, id);
    mayBeFree = true;
  };

  return {
    /** Once in each transaction: while a read model is filled there is no free row, and none is looked for with each text. */
    begin: (): void => {
      mayBeFree = hasAnyFree.get() !== undefined;
    },
    /** Answers the row that the text got. */
    add: (doc: Document): number => {
      const sized = sizedText(doc);
      return place(sized, sized.rowBytes);
    },
    /** Answers the row that the text got, which is the same one if it has the right size. */
    replace: (id: number, doc: Document): number => {
      const sized = sizedText(doc);
      const bytes = bytesOf.get(id) as number;
      const isOutgrown = sized.rowBytes > bytes;
      if (!isOutgrown && bytes <= roomiestOf(sized)) {
        update.run(filledUp(sized, bytes), id);
        return id;
      }
      blank(id, bytes);
      return place(sized, isOutgrown ? afterOutgrown(bytes, sized) : sized.rowBytes);
    },
    free: (id: number): void => blank(id, bytesOf.get(id) as number),
  };
};

export type Texts = ReturnType<typeof createTexts>;
