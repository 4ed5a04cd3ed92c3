import type { Document } from '../../../kernel/projection.ts';
import type { StoredKey } from '../sqlite/declared-index.ts';
import { bodySql, type ReadModelFile } from './file.ts';
import { createKeptDocuments } from './kept-documents.ts';

/** Of the rows of one read model; what is made of a text takes about four times its place. */
const keptCharsMax = 1_000_000;

/** A function of each connection: whether the text of a row need not be read. */
const isKeptSql = 'is_kept(docs.id, docs.position)';

const pageSql = `SELECT docs.id, docs.position, CASE WHEN ${isKeptSql} THEN NULL ELSE ${bodySql} END`;

type PageRow = readonly [id: string, position: number, text: string | null];

/**
 * Reads pages that many ask for: rows at the head of a feed are the same again and again, and to find them costs a third of
 * what it costs to read their texts. SQLite asks while it reads, so that a page is of one moment in any case.
 */
export const createPageReader = <Doc extends Document>({ db, prepare }: Pick<ReadModelFile, 'db' | 'prepare'>) => {
  const { find, parse } = createKeptDocuments<Doc>(keptCharsMax);
  /** Of the page that is being read: those that were found may be given up before it is whole. */
  let found = new Map<string, Doc>();

  const isKept = (id: unknown, position: unknown): 0 | 1 => {
    const doc = find(id as string, position as number);
    if (doc === undefined) return 0;
    found.set(id as string, doc);
    return 1;
  };
  db.function('is_kept', isKept);

  /** `rows` is the rest of the statement. */
  return (rows: string, values: readonly StoredKey[]): Doc[] => {
    found = new Map();
    const page = prepare(`${pageSql} ${rows}`)
      .raw()
      .all(...values) as PageRow[];
    return page.map(([id, position, text]) => (text === null ? found.get(id)! : parse(id, position, text)));
  };
};
