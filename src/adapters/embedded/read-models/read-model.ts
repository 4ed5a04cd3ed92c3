import { setImmediate } from 'node:timers/promises';
import { createPageSize } from '../../../kernel/paging/page-size.ts';
import type { Document } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Lease, Leases } from '../../../ports/leases.ts';
import type { IndexQuery, ReadModel, ReadModelWrite, StoredText, WriteOutcome } from '../../../ports/read-models.ts';
import type { StoredKey } from '../sqlite/declared-index.ts';
import { checkedLimit } from '../../checked-indexes.ts';
import { handedOver } from '../../handed-over.ts';
import { indexRun, whereSql } from '../sqlite/index-run.ts';
import {
  bodySql,
  documentIndexSql,
  isDropped,
  ownCheckpoint,
  positionIndexSql,
  prepareToWrite,
  type ReadModelFile,
} from './file.ts';
import { createPageReader } from './page-reader.ts';
import type { PassedOver } from './passed-over.ts';
import { createReadModelWriter } from './writer.ts';
import { createRowTurns } from '../sqlite/row-turns.ts';
import { emptyLog } from '../sqlite/empty-log.ts';
import { createSqliteLeases, type SqliteLeases } from '../sqlite/leases.ts';
import { limitSql } from '../sqlite/limit.ts';

/** The reads that use no declared index. */
export const documentsSql = {
  get: `SELECT ${bodySql} FROM docs WHERE id IN (SELECT value FROM json_each(?))`,
  scan: `SELECT ${bodySql} AS body, position FROM docs WHERE id > ? ORDER BY id ${limitSql}`,
  // As the rows lie in the file: by ids each would be looked for in another place of it. The blanks that fill up a row are
  // no part of its text.
  scanTexts: `SELECT docs.rowid AS place, docs.id AS id, rtrim(body, ' ') AS text
    FROM docs JOIN texts ON texts.id = docs.text WHERE docs.rowid > ? ORDER BY docs.rowid ${limitSql}`,
  // In the same order, and as one text: handed over and parsed one by one, small documents take half as long again.
  readAll: `SELECT max(place) AS lastPlace, count(*) AS count, group_concat(body) AS bodies FROM (
    SELECT docs.rowid AS place, body FROM docs JOIN texts ON texts.id = docs.text
    WHERE docs.rowid > ? ORDER BY docs.rowid ${limitSql})`,
  changedAfter: `SELECT id, ${bodySql} AS body, position FROM docs INDEXED BY "docs(position)"
    WHERE (position, id) > (?, ?) ORDER BY position, id ${limitSql}`,
  deletedAfter: `SELECT id, NULL AS body, position FROM deleted INDEXED BY "deleted(position)"
    WHERE (position, id) > (?, ?) ORDER BY position, id ${limitSql}`,
};

interface PositionedRow {
  readonly body: string;
  readonly position: number;
}

interface PageOfAll {
  /** Null where nothing is left, as are the texts. */
  readonly lastPlace: number | null;
  readonly count: number;
  /** With a comma between any two. */
  readonly bodies: string | null;
}

interface ChangedRow {
  readonly id: string;
  readonly body: string | null;
  readonly position: number;
}

const explained = (error: unknown, owner: string): unknown => {
  const message = error instanceof Error ? error.message : '';
  if (/no such table: (main\.)?(docs|texts|state|lease)$/.test(message))
    return new Error(`${owner} was dropped`, { cause: error });
  const [, index] = /no such index: (.+)$/.exec(message) ?? [];
  if (index) return new Error(`${owner} is still being filled: it has no index ${index} yet`, { cause: error });
  return error;
};

const createLeases = (leases: SqliteLeases, { db }: ReadModelFile, clock: Clock, run: Runner): Leases => {
  const acquire = db.transaction(leases.acquire).immediate;
  // With the generation its leases are gone: they are lost, which is no failure.
  const renew = db.transaction(
    (...given: Parameters<SqliteLeases['renew']>) => !isDropped(db) && leases.renew(...given),
  ).immediate;
  const release = db.transaction((lease: Lease) => {
    if (!isDropped(db)) leases.release(lease);
  }).immediate;
  return {
    acquire: async (name, holder, ttlMs) => run(() => acquire(name, holder, ttlMs, clock.nowMs())),
    renew: async (lease, ttlMs) => run(() => renew(lease, ttlMs, clock.nowMs())),
    release: async (lease) => run(() => release(lease)),
  };
};

/** One more than the longest page tells whether another follows. Who asks for more goes through all, once. */
const pageOfReadersMax = 101;

type Runner = <Result>(work: () => Result) => Result;

/** A full page is seldom the last: before the next one is asked for, whatever else waits on this thread gets its turn. */
const afterPage = async <Row>(rows: Row[], limit: number): Promise<Row[]> => {
  if (rows.length === limit) await setImmediate();
  return rows;
};

/** One generation over its file. SQLite is synchronous: a call does its work before its promise is handed out. */
export const createReadModel = <Doc extends Document>(
  file: ReadModelFile,
  clock: Clock,
  passed: Pick<PassedOver, 'positionOf'>,
): ReadModel<Doc> => {
  const { db, declared, prepare } = file;
  const { name, generation } = file.declaration;

  const run: Runner = (work) => {
    if (!db.open) throw new Error(`${declared.owner} was closed or dropped`);
    try {
      return work();
    } catch (error) {
      throw explained(error, declared.owner);
    }
  };

  const parse = (body: unknown): Doc => JSON.parse(body as string) as Doc;
  const parseRow = (row: unknown) => {
    const { body, position } = row as PositionedRow;
    return { doc: parse(body), position };
  };

  const parseChange = ({ id, body, position }: ChangedRow) => ({
    id,
    doc: body === null ? null : parse(body),
    position,
  });

  const get = db.prepare(documentsSql.get).pluck();
  const scan = db.prepare(documentsSql.scan);
  const leases = createSqliteLeases(db);
  const checkpoint = (): number => passed.positionOf(name, generation, ownCheckpoint(file));
  const writeAtOnce = createReadModelWriter(file, leases, checkpoint);
  let isPrepared = false;
  const write = (changes: ReadModelWrite<Document>): WriteOutcome => {
    if (!isPrepared) prepareToWrite(file);
    isPrepared = true;
    return writeAtOnce(changes);
  };

  const changedAfter = ({ position, id }: { position: number; id: string }, limit: number) => {
    const rows = [documentsSql.changedAfter, documentsSql.deletedAfter].flatMap(
      (sql) => prepare(sql).all(position, id, checkedLimit(limit)) as ChangedRow[],
    );
    rows.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
    return rows.slice(0, limit).map(parseChange);
  };

  const readOnce = (rows: string, values: readonly StoredKey[]): Doc[] =>
    prepare(`SELECT ${bodySql} ${rows}`)
      .pluck()
      .all(...values)
      .map(parse);

  const readPage = createPageReader<Doc>(file);

  const query = ({ limit, ...range }: IndexQuery): Doc[] => {
    const { source, terms, parameters, order } = indexRun(declared, range);
    const rows = `FROM ${source}${whereSql(terms)} ORDER BY ${order} ${limitSql}`;
    const values = [...parameters, checkedLimit(limit)];
    return limit <= pageOfReadersMax ? readPage(rows, values) : readOnce(rows, values);
  };

  const readAll = async (onPage: (docs: readonly Doc[]) => void): Promise<void> => {
    const size = createPageSize(handedOver);
    for (let after = 0; ; ) {
      const rows = size.count();
      const page = run(() => prepare(documentsSql.readAll).get(after, rows)) as PageOfAll;
      const { lastPlace, count, bodies } = page;
      if (lastPlace === null || bodies === null) return;
      onPage(JSON.parse(`[${bodies}]`) as Doc[]);
      if (count < rows) return;
      after = lastPlace;
      size.saw(count, bodies.length);
      await setImmediate();
    }
  };

  const turns = createRowTurns();
  const inTurns = (rows: Doc[]): Promise<Doc[]> => turns(rows, rows.length);

  return {
    declaration: file.declaration,
    get: async (ids) => run(() => get.all(JSON.stringify(ids)).map(parse)),
    query: async (range) => inTurns(run(() => query(range))),
    scan: async (afterId, limit) =>
      afterPage(
        run(() => scan.all(afterId, checkedLimit(limit)).map(parseRow)),
        limit,
      ),
    scanTexts: async (after, limit) =>
      afterPage(
        run(() => prepare(documentsSql.scanTexts).all(after ?? 0, checkedLimit(limit)) as StoredText[]),
        limit,
      ),
    readAll,
    changedAfter: async (after, limit) =>
      afterPage(
        run(() => changedAfter(after, limit)),
        limit,
      ),
    write: async (changes) => run(() => write(changes as ReadModelWrite<Document>)),
    checkpoint: async () => run(checkpoint),
    leases: createLeases(leases, file, clock, run),
    completeIndexes: async (mayBegin) => {
      for (const sql of [...Object.values(declared.indexes).map(documentIndexSql), positionIndexSql]) {
        await mayBegin?.();
        run(() => db.exec(sql));
        await setImmediate(); // leases are renewed on this thread, too
      }
      run(() => emptyLog(db));
    },
  };
};
