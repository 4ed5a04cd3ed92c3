import type { Document } from '../../../kernel/projection.ts';
import type { PositionedChange, ReadModelWrite, WriteOutcome } from '../../../ports/read-models.ts';
import { columnOf, type StoredKey, storedKeysOf } from '../sqlite/declared-index.ts';
import { indexRun, whereSql } from '../sqlite/index-run.ts';
import { bodySql, type ReadModelFile } from './file.ts';
import type { SqliteLeases } from '../sqlite/leases.ts';
import { createTexts, type Texts } from './texts.ts';
import { limitSql } from '../sqlite/limit.ts';

/** Bodies held in memory at once by a patch over an index. */
const patchStepRows = 1000;

type AnyChange = PositionedChange<Document>;
type Positioned<Kind extends AnyChange['kind']> = Extract<AnyChange, { kind: Kind }>;

interface StoredRow {
  readonly row: number;
  readonly position: number;
  readonly text: number;
}

/**
 * Sets the position, some fields, and where the text is if it has moved. SQLite writes each index anew that has one of the
 * columns named, changed or not, and all of them say where the text is: one that stays is not named.
 */
const createUpdate = ({ prepare }: Pick<ReadModelFile, 'prepare'>, texts: Texts, fields: readonly string[]) => {
  const updateOf = (columns: readonly string[]): string =>
    `UPDATE docs SET ${[...columns, ...fields.map(columnOf)].map((column) => `${column} = ?`).join(', ')} WHERE rowid = ?`;
  const [inPlace, moved] = [updateOf(['position']), updateOf(['position', 'text'])];
  return (
    before: StoredRow,
    doc: Document,
    { position, keys }: { position: number; keys: readonly StoredKey[] },
  ): void => {
    const text = texts.replace(before.text, doc);
    if (text === before.text) prepare(inPlace).run(position, ...keys, before.row);
    else prepare(moved).run(position, text, ...keys, before.row);
  };
};

const createPut = (file: ReadModelFile, texts: Texts) => {
  const { db, declared } = file;
  const columns = ['position', 'text', ...declared.fields.map(columnOf)];
  const find = db.prepare<[string], StoredRow>('SELECT rowid AS row, position, text FROM docs WHERE id = ?');
  const insert = db.prepare(
    `INSERT INTO docs (${columns.join(', ')}, id) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
  );
  const update = createUpdate(file, texts, declared.fields);
  return ({ doc, position }: Positioned<'put'>): void => {
    if (typeof doc.id !== 'string' || doc.id === '') throw new Error(`a document of ${declared.owner} has no id`);
    const keys = storedKeysOf(declared, doc);
    const before = find.get(doc.id);
    if (before === undefined) insert.run(position, texts.add(doc), ...keys, doc.id);
    else if (before.position <= position) update(before, doc, { position, keys });
  };
};

const createPatchWhere = (file: ReadModelFile, texts: Texts) => {
  const { declared, prepare } = file;
  interface Row extends StoredRow {
    readonly body: string;
  }

  return ({ index, equals, set, position }: Positioned<'patchWhere'>): void => {
    if (Object.hasOwn(set, 'id')) throw new Error(`a patch of ${declared.owner} would change the id`);
    const touched = declared.fields.filter((field) => Object.hasOwn(set, field));
    const update = createUpdate(file, texts, touched);

    // A patch may move a row ahead of the keyset within its own index. It is met once more there and patched to the
    // same again: patches set constants.
    let after: readonly (string | number | null)[] | undefined;
    for (;;) {
      const run = indexRun(declared, after === undefined ? { index, equals } : { index, equals, after });
      const select = `SELECT docs.rowid AS row, position, text, ${bodySql} AS body FROM ${run.source}${whereSql(run.terms)} ORDER BY ${run.order} ${limitSql}`;
      const rows = prepare(select).all(...run.parameters, patchStepRows) as Row[];
      for (const row of rows) {
        const before = JSON.parse(row.body) as Document & Readonly<Record<string, string | number | null>>;
        after = run.rest.map((field) => before[field] ?? null);
        if (row.position > position) continue;
        const doc: Document = { ...before, ...set };
        update(row, doc, { position, keys: storedKeysOf(declared, doc, touched) });
      }
      if (rows.length < patchStepRows) return;
    }
  };
};

const createDeleteWhere = ({ declared, prepare }: ReadModelFile, texts: Texts) => {
  return ({ index, equals, position }: Positioned<'deleteWhere'>): void => {
    const { source, terms, parameters } = indexRun(declared, { index, equals });
    const rows = `FROM ${source}${whereSql([...terms, 'position <= ?'])}`;
    prepare(`INSERT OR REPLACE INTO deleted (id, position) SELECT id, ? ${rows}`).run(
      position,
      ...parameters,
      position,
    );
    for (const text of prepare(`SELECT text ${rows}`)
      .pluck()
      .all(...parameters, position))
      texts.free(text as number);
    prepare(`DELETE ${rows}`).run(...parameters, position);
  };
};

const createDelete = ({ db }: ReadModelFile, texts: Texts) => {
  const find = db.prepare<[string, number], number>('SELECT text FROM docs WHERE id = ? AND position <= ?').pluck();
  const remove = db.prepare('DELETE FROM docs WHERE id = ?');
  const remember = db.prepare('INSERT OR REPLACE INTO deleted (id, position) VALUES (?, ?)');
  return ({ id, position }: Positioned<'delete'>): void => {
    const text = find.get(id, position);
    if (text === undefined) return;
    texts.free(text);
    remove.run(id);
    remember.run(id, position);
  };
};

/** Takes documents that came back off the list of deleted ones; usually there is none, so it is looked at once. */
const createForgetDeleted = ({ db }: ReadModelFile) => {
  const hasAny = db.prepare('SELECT 1 FROM deleted LIMIT 1');
  const forget = db.prepare(
    'DELETE FROM deleted WHERE id = ? AND EXISTS (SELECT 1 FROM docs WHERE docs.id = deleted.id)',
  );
  return (changes: readonly AnyChange[]): void => {
    if (hasAny.get() === undefined) return;
    for (const change of changes) if (change.kind === 'put') forget.run(change.doc.id);
  };
};

/** Documents, checkpoint and lease check in one transaction. */
export const createReadModelWriter = (file: ReadModelFile, leases: SqliteLeases, checkpoint: () => number) => {
  const { db } = file;
  const saveCheckpoint = db.prepare('UPDATE state SET checkpoint = ?');
  const texts = createTexts(db);
  const put = createPut(file, texts);
  const remove = createDelete(file, texts);
  const forgetDeleted = createForgetDeleted(file);
  const patchWhere = createPatchWhere(file, texts);
  const deleteWhere = createDeleteWhere(file, texts);

  const apply = (change: AnyChange): void => {
    switch (change.kind) {
      case 'put':
        return put(change);
      case 'delete':
        return remove(change);
      case 'patchWhere':
        return patchWhere(change);
      case 'deleteWhere':
        return deleteWhere(change);
    }
  };

  return db.transaction((write: ReadModelWrite<Document>): WriteOutcome => {
    if (!leases.isHeld(write.lease)) return 'stale_lease';
    if (write.position <= checkpoint()) return 'behind';
    texts.begin();
    for (const change of write.changes) apply(change);
    forgetDeleted(write.changes);
    saveCheckpoint.run(write.position);
    return 'written';
  }).immediate;
};
