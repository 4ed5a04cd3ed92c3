import type { Document } from '../../../kernel/projection.ts';
import type { StoredKey } from '../sqlite/declared-index.ts';
import { bodySql, type ReadModelFile } from './file.ts';
import { createKeptDocuments } from './kept-documents.ts';

/** Of the rows of one read model; what is made of a text takes about four times its place. */
const keptCharsMax = 1_000_000;

/**
 * Functions of each connection: whether a row was asked for before, and whether its text need not be read. Where a row is
 * asked for the first time, its place in `docs` is not even looked for: the index says where its text is.
 */
const isKeptSql = 'CASE WHEN is_met(docs.id) THEN is_kept(docs.id, docs.position) ELSE 0 END';

const pageSql = `SELECT docs.id, CASE WHEN ${isKeptSql} THEN NULL ELSE ${bodySql} END`;

type PageRow = readonly [id: string, text: string | null];

/**
 * Reads pages that many ask for: rows at the head of a feed are the same again and again, and to find them costs a third of
 * what it costs to read their texts. SQLite asks while it reads, so that a page is of one moment in any case.
 */
export const createPageReader = <Doc extends Document>({ db, prepare }: Pick<ReadModelFile, 'db' | 'prepare'>) => {
  const { isMet, find, parse } = createKeptDocuments<Doc>(keptCharsMax);
  /** Of the page that is being read: those that were found may be given up before it is whole. */
  let found = new Map<string, Doc>();
  /** Of those of the page that were asked for before and are not kept. */
  let positions = new Map<string, number>();

  const isKept = (id: string, position: number): 0 | 1 => {
    const doc = find(id, position);
    if (doc === undefined) positions.set(id, position);
    else found.set(id, doc);
    return doc === undefined ? 0 : 1;
  };
  db.function('is_met', (id) => (isMet(id as string) ? 1 : 0));
  db.function('is_kept', (id, position) => isKept(id as string, position as number));

  /** `rows` is the rest of the statement. */
  return (rows: string, values: readonly StoredKey[]): Doc[] => {
    found = new Map();
    positions = new Map();
    const page = prepare(`${pageSql} ${rows}`)
      .raw()
      .all(...values) as PageRow[];
    return page.map(([id, text]) => (text === null ? found.get(id)! : parse(id, positions.get(id) ?? null, text)));
  };
};
