import type { Document } from '../../kernel/projection.ts';
import type { PositionedChange, ReadModelWrite, WriteOutcome } from '../../ports/read-models.ts';
import { columnOf, storedKeysOf } from './declared-index.ts';
import { indexRun, whereSql } from './index-run.ts';
import type { ReadModelFile } from './read-model-file.ts';
import type { SqliteLeases } from './sqlite-leases.ts';

/** Bodies held in memory at once by a patch over an index. */
const patchStepRows = 1000;

type AnyChange = PositionedChange<Document>;
type Positioned<Kind extends AnyChange['kind']> = Extract<AnyChange, { kind: Kind }>;

const createPut = ({ db, declared }: ReadModelFile) => {
  const columns = ['id', 'position', 'body', ...declared.fields.map(columnOf)];
  const renewed = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  const statement = db.prepare(
    `INSERT INTO docs (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${renewed.join(', ')} WHERE excluded.position >= docs.position`,
  );
  return ({ doc, position }: Positioned<'put'>): void => {
    if (typeof doc.id !== 'string' || doc.id === '') throw new Error(`a document of ${declared.owner} has no id`);
    statement.run(doc.id, position, JSON.stringify(doc), ...storedKeysOf(declared, doc));
  };
};

const createPatchWhere = ({ declared, prepare }: ReadModelFile) => {
  interface Row {
    readonly position: number;
    readonly body: string;
  }

  return ({ index, equals, set, position }: Positioned<'patchWhere'>): void => {
    if (Object.hasOwn(set, 'id')) throw new Error(`a patch of ${declared.owner} would change the id`);
    const touched = declared.fields.filter((field) => Object.hasOwn(set, field));
    const assignments = ['position', 'body', ...touched.map(columnOf)].map((column) => `${column} = ?`);
    const update = prepare(`UPDATE docs SET ${assignments.join(', ')} WHERE id = ?`);

    // A patch may move a row ahead of the keyset within its own index. It is met once more there and patched to the
    // same again: patches set constants.
    let after: readonly (string | number | null)[] | undefined;
    for (;;) {
      const run = indexRun(declared, after === undefined ? { index, equals } : { index, equals, after });
      const select = `SELECT position, body FROM ${run.source}${whereSql(run.terms)} ORDER BY ${run.order} LIMIT ?`;
      const rows = prepare(select).all(...run.parameters, patchStepRows) as Row[];
      for (const row of rows) {
        const before = JSON.parse(row.body) as Document & Readonly<Record<string, string | number | null>>;
        after = run.rest.map((field) => before[field] ?? null);
        if (row.position > position) continue;
        const doc: Document = { ...before, ...set };
        update.run(position, JSON.stringify(doc), ...storedKeysOf(declared, doc, touched), doc.id);
      }
      if (rows.length < patchStepRows) return;
    }
  };
};

const createDeleteWhere = ({ declared, prepare }: ReadModelFile) => {
  return ({ index, equals, position }: Positioned<'deleteWhere'>): void => {
    const { source, terms, parameters } = indexRun(declared, { index, equals });
    const rows = `FROM ${source}${whereSql([...terms, 'position <= ?'])}`;
    prepare(`INSERT OR REPLACE INTO deleted (id, position) SELECT id, ? ${rows}`).run(
      position,
      ...parameters,
      position,
    );
    prepare(`DELETE ${rows}`).run(...parameters, position);
  };
};

const createDelete = ({ db }: ReadModelFile) => {
  const remove = db.prepare('DELETE FROM docs WHERE id = ? AND position <= ?');
  const remember = db.prepare('INSERT OR REPLACE INTO deleted (id, position) VALUES (?, ?)');
  return ({ id, position }: Positioned<'delete'>): void => {
    if (remove.run(id, position).changes > 0) remember.run(id, position);
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
export const createReadModelWriter = (file: ReadModelFile, leases: SqliteLeases) => {
  const { db } = file;
  const checkpoint = db.prepare<[], number>('SELECT checkpoint FROM state').pluck();
  const saveCheckpoint = db.prepare('UPDATE state SET checkpoint = ?');
  const put = createPut(file);
  const remove = createDelete(file);
  const forgetDeleted = createForgetDeleted(file);
  const patchWhere = createPatchWhere(file);
  const deleteWhere = createDeleteWhere(file);

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
    if (write.position <= (checkpoint.get() as number)) return 'behind';
    for (const change of write.changes) apply(change);
    forgetDeleted(write.changes);
    saveCheckpoint.run(write.position);
    return 'written';
  }).immediate;
};
